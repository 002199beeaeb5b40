#!/bin/bash

__sonactl_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__sonactl_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__sonactl_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__sonactl_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_sonactl() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    signup|login|logout|whoami|username|password|email|app-passwords|account|notifications|broadcast|listen|play|pause|seek|position|chat|history|recap|queue|rooms|webhooks|speakers|library|playlists|likes|plays|player|scrobbling|submissions|jobs|profile|settings|people|share|feedback|server|stats|storage|drain|users|plans|addresses|takedown|report|registration|words|journal|help)
        # Offer subcommand argument completions
        "_sonactl_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'signup login logout whoami username password email app-passwords account notifications broadcast listen play pause seek position chat history recap queue rooms webhooks speakers library playlists likes plays player scrobbling submissions jobs profile settings people share feedback server stats storage drain users plans addresses takedown report registration words journal help' -- "${cur}"))
        ;;
    esac
}

_sonactl_signup() {
    repeating_flags=()
    non_repeating_flags=(--accept-terms --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --email --username --display-name --locale --invite --introduction --password --password-file)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--email')
        return
        ;;
    '--username')
        return
        ;;
    '--display-name')
        return
        ;;
    '--locale')
        __sonactl_add_completions -W 'en_US'$'\n''pl_PL'$'\n''es_ES'
        return
        ;;
    '--invite')
        return
        ;;
    '--introduction')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    esac
}

_sonactl_login() {
    repeating_flags=()
    non_repeating_flags=(--guest --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --email --password --password-file --provider --token-file --invite --introduction)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--email')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    '--provider')
        return
        ;;
    '--token-file')
        return
        ;;
    '--invite')
        return
        ;;
    '--introduction')
        return
        ;;
    esac
}

_sonactl_logout() {
    repeating_flags=()
    non_repeating_flags=(--everywhere --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_whoami() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_username() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    check|claim|change)
        # Offer subcommand argument completions
        "_sonactl_username_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'check claim change' -- "${cur}"))
        ;;
    esac
}

_sonactl_username_check() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_username_claim() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_username_change() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_password() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    change|request-recovery|recover)
        # Offer subcommand argument completions
        "_sonactl_password_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'change request-recovery recover' -- "${cur}"))
        ;;
    esac
}

_sonactl_password_change() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --new-password --new-password-file --password --password-file --provider --token-file)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--new-password')
        return
        ;;
    '--new-password-file')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    '--provider')
        return
        ;;
    '--token-file')
        return
        ;;
    esac
}

_sonactl_password_request-recovery() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --email)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--email')
        return
        ;;
    esac
}

_sonactl_password_recover() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --new-password --new-password-file)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--new-password')
        return
        ;;
    '--new-password-file')
        return
        ;;
    esac
}

_sonactl_email() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    confirm|request-confirmation|change)
        # Offer subcommand argument completions
        "_sonactl_email_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'confirm request-confirmation change' -- "${cur}"))
        ;;
    esac
}

_sonactl_email_confirm() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_email_request-confirmation() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_email_change() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --password --password-file --provider --token-file)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    '--provider')
        return
        ;;
    '--token-file')
        return
        ;;
    esac
}

_sonactl_app-passwords() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|revoke)
        # Offer subcommand argument completions
        "_sonactl_app-passwords_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list revoke' -- "${cur}"))
        ;;
    esac
}

_sonactl_app-passwords_create() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --password --password-file --provider --token-file)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    '--provider')
        return
        ;;
    '--token-file')
        return
        ;;
    esac
}

_sonactl_app-passwords_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_app-passwords_revoke() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_account() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    export|remove)
        # Offer subcommand argument completions
        "_sonactl_account_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'export remove' -- "${cur}"))
        ;;
    esac
}

_sonactl_account_export() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --output --password --password-file --provider --token-file)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--output')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    '--provider')
        return
        ;;
    '--token-file')
        return
        ;;
    esac
}

_sonactl_account_remove() {
    repeating_flags=()
    non_repeating_flags=(--pass-on-rooms --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --export --password --password-file --provider --token-file)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--export')
        return
        ;;
    '--password')
        return
        ;;
    '--password-file')
        return
        ;;
    '--provider')
        return
        ;;
    '--token-file')
        return
        ;;
    esac
}

_sonactl_notifications() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|read|remove|preferences|configure)
        # Offer subcommand argument completions
        "_sonactl_notifications_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list read remove preferences configure' -- "${cur}"))
        ;;
    esac
}

_sonactl_notifications_list() {
    repeating_flags=()
    non_repeating_flags=(--unread --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_notifications_read() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_notifications_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_notifications_preferences() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_notifications_configure() {
    repeating_flags=()
    non_repeating_flags=(--show --no-show --mail --no-mail --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W 'submission_decided'$'\n''host_live'$'\n''room_opens'$'\n''dj_asked'$'\n''dj_answered'$'\n''dj_soon'$'\n''dj_now'$'\n''follower'$'\n''shared'$'\n''purchase'$'\n''import_finished'$'\n''track_taken_down'$'\n''scrobbling_refused'
        return
        ;;
    esac
}

_sonactl_broadcast() {
    repeating_flags=()
    non_repeating_flags=(--live --paced --private --loop --record --queue --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --raw --bitrate --frame-ms --title --artwork --cover --music --room --delivery --simulate-clock --lead-ms)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--raw')
        return
        ;;
    '--bitrate')
        return
        ;;
    '--frame-ms')
        return
        ;;
    '--title')
        return
        ;;
    '--artwork')
        return
        ;;
    '--cover')
        return
        ;;
    '--music')
        return
        ;;
    '--room')
        return
        ;;
    '--delivery')
        __sonactl_add_completions -W 'interactive'$'\n''party'
        return
        ;;
    '--simulate-clock')
        return
        ;;
    '--lead-ms')
        return
        ;;
    esac
}

_sonactl_listen() {
    repeating_flags=()
    non_repeating_flags=(--data-saver --stats --loudness --no-loudness --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --invite --output --seconds --retry --behind --simulate-clock)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--invite')
        return
        ;;
    '--output')
        return
        ;;
    '--seconds')
        return
        ;;
    '--retry')
        return
        ;;
    '--behind')
        return
        ;;
    '--simulate-clock')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion listen -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_play() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --output)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--output')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion play -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_pause() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion pause -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_seek() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion seek -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_position() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --invite)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--invite')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion position -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_chat() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --invite --send)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--invite')
        return
        ;;
    '--send')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion chat -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_history() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion history -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_recap() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --format --session --from --to --output -o)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--format')
        __sonactl_add_completions -W 'json'$'\n''m3u'$'\n''jspf'$'\n''csv'
        return
        ;;
    '--session')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--output'|'-o')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion recap -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|suggest|vote|skip|remove|add|approve|reject|move|clear|shuffle|repeat|next|previous|rules)
        # Offer subcommand argument completions
        "_sonactl_queue_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show suggest vote skip remove add approve reject move clear shuffle repeat next previous rules' -- "${cur}"))
        ;;
    esac
}

_sonactl_queue_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue show -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_suggest() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --title --artist --album --duration --source)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    '--artist')
        return
        ;;
    '--album')
        return
        ;;
    '--duration')
        return
        ;;
    '--source')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue suggest -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_vote() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue vote -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    3)
        __sonactl_add_completions -W 'up'$'\n''down'$'\n''none'
        return
        ;;
    esac
}

_sonactl_queue_skip() {
    repeating_flags=()
    non_repeating_flags=(--undo --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue skip -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue remove -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_add() {
    repeating_flags=()
    non_repeating_flags=(--first --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --title --artist --album --duration --source --before --after)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    '--artist')
        return
        ;;
    '--album')
        return
        ;;
    '--duration')
        return
        ;;
    '--source')
        return
        ;;
    '--before')
        return
        ;;
    '--after')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue add -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_approve() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue approve -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_reject() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue reject -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_move() {
    repeating_flags=()
    non_repeating_flags=(--first --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --before --after)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--before')
        return
        ;;
    '--after')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue move -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_clear() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue clear -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_shuffle() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --seed)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--seed')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue shuffle -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_repeat() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue repeat -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __sonactl_add_completions -W 'off'$'\n''all'$'\n''one'
        return
        ;;
    esac
}

_sonactl_queue_next() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue next -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_previous() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue previous -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_queue_rules() {
    repeating_flags=()
    non_repeating_flags=(--approval --no-approval --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --ordering --suggesters --voters --waiting-per-person --entries --share-window --share-plays --row --cooldown --dwell --skip-percent --grace)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--ordering')
        __sonactl_add_completions -W 'manual'$'\n''votes'
        return
        ;;
    '--suggesters')
        __sonactl_add_completions -W 'nobody'$'\n''members'$'\n''everybody'
        return
        ;;
    '--voters')
        __sonactl_add_completions -W 'nobody'$'\n''members'$'\n''everybody'
        return
        ;;
    '--waiting-per-person')
        return
        ;;
    '--entries')
        return
        ;;
    '--share-window')
        return
        ;;
    '--share-plays')
        return
        ;;
    '--row')
        return
        ;;
    '--cooldown')
        return
        ;;
    '--dwell')
        return
        ;;
    '--skip-percent')
        return
        ;;
    '--grace')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion queue rules -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|search|watch|meter|create|update|picture|autoplay|schedule|replays|audience|requests|addresses|source|close|transfer|transfers|accept|refuse|move|invite|invites|revoke|waiting|admit|deny|members|standing|kick|ban|unban|bans|mute|unmute)
        # Offer subcommand argument completions
        "_sonactl_rooms_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show search watch meter create update picture autoplay schedule replays audience requests addresses source close transfer transfers accept refuse move invite invites revoke waiting admit deny members standing kick ban unban bans mute unmute' -- "${cur}"))
        ;;
    esac
}

_sonactl_rooms_list() {
    repeating_flags=()
    non_repeating_flags=(--mine --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms show -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_search() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --scope --limit)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--scope')
        __sonactl_add_completions -W 'all'$'\n''friends'$'\n''following'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_rooms_watch() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --scope --limit --seconds)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--scope')
        __sonactl_add_completions -W 'all'$'\n''friends'$'\n''following'
        return
        ;;
    '--limit')
        return
        ;;
    '--seconds')
        return
        ;;
    esac
}

_sonactl_rooms_meter() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit --seconds)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    '--seconds')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms meter -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_create() {
    repeating_flags=()
    non_repeating_flags=(--public --private --guests --no-guests --from-player --json --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--server --token --ca-cert --title --tags --description --on-private --delivery --lead-ms)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    '--tag')
        return
        ;;
    '--tags')
        return
        ;;
    '--description')
        return
        ;;
    '--on-private')
        __sonactl_add_completions -W 'stay'$'\n''leave'
        return
        ;;
    '--delivery')
        __sonactl_add_completions -W 'interactive'$'\n''party'
        return
        ;;
    '--lead-ms')
        return
        ;;
    esac
}

_sonactl_rooms_update() {
    repeating_flags=()
    non_repeating_flags=(--no-tags --public --private --guests --no-guests --waiting-room --no-waiting-room --replays --no-replays --data-saver --no-data-saver --json --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--server --token --ca-cert --title --tags --description --on-private --delivery --lead-ms --chat --slow-mode)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    '--tag')
        return
        ;;
    '--tags')
        return
        ;;
    '--description')
        return
        ;;
    '--on-private')
        __sonactl_add_completions -W 'stay'$'\n''leave'
        return
        ;;
    '--delivery')
        __sonactl_add_completions -W 'interactive'$'\n''party'
        return
        ;;
    '--lead-ms')
        return
        ;;
    '--chat')
        __sonactl_add_completions -W 'everyone'$'\n''members'$'\n''moderators'$'\n''off'
        return
        ;;
    '--slow-mode')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms update -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_picture() {
    repeating_flags=()
    non_repeating_flags=(--remove --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms picture -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_autoplay() {
    repeating_flags=()
    non_repeating_flags=(--no-jingles --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --playlist --jingles --every-tracks --every-minutes)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--playlist')
        return
        ;;
    '--jingles')
        return
        ;;
    '--every-tracks')
        return
        ;;
    '--every-minutes')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms autoplay -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __sonactl_add_completions -W 'on'$'\n''off'
        return
        ;;
    esac
}

_sonactl_rooms_schedule() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|update|remove|upcoming|duties|answer)
        # Offer subcommand argument completions
        "_sonactl_rooms_schedule_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add update remove upcoming duties answer' -- "${cur}"))
        ;;
    esac
}

_sonactl_rooms_schedule_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms schedule list -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_schedule_add() {
    repeating_flags=()
    non_repeating_flags=(--daily --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --for --title --zone --weekly --until --playlist --dj)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--for')
        return
        ;;
    '--title')
        return
        ;;
    '--zone')
        return
        ;;
    '--weekly')
        return
        ;;
    '--until')
        return
        ;;
    '--playlist')
        return
        ;;
    '--dj')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms schedule add -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_schedule_update() {
    repeating_flags=()
    non_repeating_flags=(--daily --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --for --title --zone --weekly --until --playlist --dj)
    __sonactl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--for')
        return
        ;;
    '--title')
        return
        ;;
    '--zone')
        return
        ;;
    '--weekly')
        return
        ;;
    '--until')
        return
        ;;
    '--playlist')
        return
        ;;
    '--dj')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms schedule update -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_schedule_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms schedule remove -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_schedule_upcoming() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --scope --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--scope')
        __sonactl_add_completions -W 'all'$'\n''friends'$'\n''following'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_rooms_schedule_duties() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_schedule_answer() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __sonactl_add_completions -W 'accept'$'\n''decline'
        return
        ;;
    esac
}

_sonactl_rooms_replays() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|recordings|remove|remove-recording)
        # Offer subcommand argument completions
        "_sonactl_rooms_replays_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show recordings remove remove-recording' -- "${cur}"))
        ;;
    esac
}

_sonactl_rooms_replays_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms replays list -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_replays_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_replays_recordings() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_replays_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_replays_remove-recording() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_audience() {
    repeating_flags=()
    non_repeating_flags=(--csv --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --count)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--count')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms audience -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_requests() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --playlist)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--playlist')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms requests -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __sonactl_add_completions -W 'on'$'\n''off'
        return
        ;;
    esac
}

_sonactl_rooms_addresses() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms addresses -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_source() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms source -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __sonactl_add_completions -W 'make'$'\n''revoke'
        return
        ;;
    esac
}

_sonactl_rooms_close() {
    repeating_flags=()
    non_repeating_flags=(--yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms close -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_transfer() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms transfer -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_transfers() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_rooms_accept() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms accept -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_refuse() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms refuse -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_move() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms move -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_invite() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --role --expires --uses --label)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--role')
        __sonactl_add_completions -W 'listen'$'\n''suggest'$'\n''vote'$'\n''control'$'\n''cohost'
        return
        ;;
    '--expires')
        return
        ;;
    '--uses')
        return
        ;;
    '--label')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms invite -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_invites() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms invites -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_revoke() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms revoke -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_waiting() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms waiting -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_admit() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms admit -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_deny() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms deny -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_members() {
    repeating_flags=()
    non_repeating_flags=(--absent --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms members -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_standing() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms standing -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    3)
        __sonactl_add_completions -W 'cohost'$'\n''moderator'$'\n''member'$'\n''listener'
        return
        ;;
    esac
}

_sonactl_rooms_kick() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --reason)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--reason')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms kick -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_ban() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --for --reason)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--for')
        return
        ;;
    '--reason')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms ban -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_unban() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms unban -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_bans() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms bans -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_mute() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --for)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--for')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms mute -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_rooms_unmute() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion rooms unmute -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_webhooks() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|test|on|off|remove)
        # Offer subcommand argument completions
        "_sonactl_webhooks_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add test on off remove' -- "${cur}"))
        ;;
    esac
}

_sonactl_webhooks_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --room)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--room')
        return
        ;;
    esac
}

_sonactl_webhooks_add() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--event)
    non_repeating_options=(--server --token --ca-cert --room --form)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--room')
        return
        ;;
    '--form')
        __sonactl_add_completions -W 'json'$'\n''discord'
        return
        ;;
    '--event')
        return
        ;;
    esac
}

_sonactl_webhooks_test() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_webhooks_on() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_webhooks_off() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_webhooks_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_speakers() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|assign|volume|mute|unmute|latency|name|forget)
        # Offer subcommand argument completions
        "_sonactl_speakers_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list assign volume mute unmute latency name forget' -- "${cur}"))
        ;;
    esac
}

_sonactl_speakers_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers list -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_assign() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers assign -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_volume() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers volume -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_mute() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers mute -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_unmute() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers unmute -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_latency() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers latency -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_name() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers name -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_speakers_forget() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion speakers forget -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_library() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    search|list|show|lyrics|upload|download|usage|edit|remove|scan|folders|share|problems|similar|radio|recount)
        # Offer subcommand argument completions
        "_sonactl_library_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'search list show lyrics upload download usage edit remove scan folders share problems similar radio recount' -- "${cur}"))
        ;;
    esac
}

_sonactl_library_search() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --field --limit)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--field')
        __sonactl_add_completions -W 'title'$'\n''artist'$'\n''album'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_library_list() {
    repeating_flags=()
    non_repeating_flags=(--own --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --sort --artist --genre --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--sort')
        __sonactl_add_completions -W 'title'$'\n''artist'$'\n''added'$'\n''plays'$'\n''popular'
        return
        ;;
    '--artist')
        return
        ;;
    '--genre')
        return
        ;;
    '--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W 'tracks'$'\n''albums'$'\n''artists'$'\n''genres'
        return
        ;;
    esac
}

_sonactl_library_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_lyrics() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_upload() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_download() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --output)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--output')
        return
        ;;
    esac
}

_sonactl_library_usage() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_edit() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--artist --album-artist --genre --reset)
    non_repeating_options=(--server --token --ca-cert --title --album --year --disc --place)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    '--artist')
        return
        ;;
    '--album')
        return
        ;;
    '--album-artist')
        return
        ;;
    '--genre')
        return
        ;;
    '--year')
        return
        ;;
    '--disc')
        return
        ;;
    '--place')
        return
        ;;
    '--reset')
        return
        ;;
    esac
}

_sonactl_library_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_scan() {
    repeating_flags=()
    non_repeating_flags=(--cancel --background --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_folders() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_library_share() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--user)
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--user')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __sonactl_add_completions -W 'accounts'$'\n''chosen'$'\n''admins'
        return
        ;;
    esac
}

_sonactl_library_problems() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_library_similar() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_library_radio() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --track --artist --genre --playlist --limit --seed)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--track')
        return
        ;;
    '--artist')
        return
        ;;
    '--genre')
        return
        ;;
    '--playlist')
        return
        ;;
    '--limit')
        return
        ;;
    '--seed')
        return
        ;;
    esac
}

_sonactl_library_recount() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|create|edit|add|remove|move|delete|pin|unpin|copy|invite|accept|collaborators|leave|export|import|picture|watch)
        # Offer subcommand argument completions
        "_sonactl_playlists_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show create edit add remove move delete pin unpin copy invite accept collaborators leave export import picture watch' -- "${cur}"))
        ;;
    esac
}

_sonactl_playlists_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --owner --query --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--owner')
        return
        ;;
    '--query')
        return
        ;;
    '--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W 'own'$'\n''pinned'$'\n''shared'$'\n''public'
        return
        ;;
    esac
}

_sonactl_playlists_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --shuffle --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--shuffle')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_playlists_create() {
    repeating_flags=()
    non_repeating_flags=(--smart --liked --any --json --version -h --help)
    repeating_options=(--genre --artist --album)
    non_repeating_options=(--server --token --ca-cert --description --visibility --since --until --added-days --plays-min --plays-max --rating-min --heard-min --not-played-days --sort --tracks-max)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--description')
        return
        ;;
    '--visibility')
        __sonactl_add_completions -W 'private'$'\n''unlisted'$'\n''public'
        return
        ;;
    '--genre')
        return
        ;;
    '--artist')
        return
        ;;
    '--album')
        return
        ;;
    '--since')
        return
        ;;
    '--until')
        return
        ;;
    '--added-days')
        return
        ;;
    '--plays-min')
        return
        ;;
    '--plays-max')
        return
        ;;
    '--rating-min')
        return
        ;;
    '--heard-min')
        return
        ;;
    '--not-played-days')
        return
        ;;
    '--sort')
        __sonactl_add_completions -W 'title'$'\n''artist'$'\n''album'$'\n''added'$'\n''year'$'\n''plays'$'\n''random'
        return
        ;;
    '--tracks-max')
        return
        ;;
    esac
}

_sonactl_playlists_edit() {
    repeating_flags=()
    non_repeating_flags=(--smart --liked --any --version -h --help)
    repeating_options=(--genre --artist --album)
    non_repeating_options=(--server --token --ca-cert --title --description --visibility --since --until --added-days --plays-min --plays-max --rating-min --heard-min --not-played-days --sort --tracks-max)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    '--description')
        return
        ;;
    '--visibility')
        __sonactl_add_completions -W 'private'$'\n''unlisted'$'\n''public'
        return
        ;;
    '--genre')
        return
        ;;
    '--artist')
        return
        ;;
    '--album')
        return
        ;;
    '--since')
        return
        ;;
    '--until')
        return
        ;;
    '--added-days')
        return
        ;;
    '--plays-min')
        return
        ;;
    '--plays-max')
        return
        ;;
    '--rating-min')
        return
        ;;
    '--heard-min')
        return
        ;;
    '--not-played-days')
        return
        ;;
    '--sort')
        __sonactl_add_completions -W 'title'$'\n''artist'$'\n''album'$'\n''added'$'\n''year'$'\n''plays'$'\n''random'
        return
        ;;
    '--tracks-max')
        return
        ;;
    esac
}

_sonactl_playlists_add() {
    repeating_flags=()
    non_repeating_flags=(--no-duplicates --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --album --at --before --after)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--album')
        return
        ;;
    '--at')
        return
        ;;
    '--before')
        return
        ;;
    '--after')
        return
        ;;
    esac
}

_sonactl_playlists_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists_move() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --at --before --after)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--at')
        return
        ;;
    '--before')
        return
        ;;
    '--after')
        return
        ;;
    esac
}

_sonactl_playlists_delete() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists_pin() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists_unpin() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists_copy() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --title)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--title')
        return
        ;;
    esac
}

_sonactl_playlists_invite() {
    repeating_flags=()
    non_repeating_flags=(--revoke --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --seconds)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--seconds')
        return
        ;;
    esac
}

_sonactl_playlists_accept() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists_collaborators() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_playlists_leave() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --user)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--user')
        return
        ;;
    esac
}

_sonactl_playlists_export() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --format)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--format')
        __sonactl_add_completions -W 'm3u8'$'\n''xspf'$'\n''jspf'
        return
        ;;
    esac
}

_sonactl_playlists_import() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --into --title --format)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--into')
        return
        ;;
    '--title')
        return
        ;;
    '--format')
        __sonactl_add_completions -W 'm3u8'$'\n''xspf'$'\n''jspf'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -f
        return
        ;;
    esac
}

_sonactl_playlists_picture() {
    repeating_flags=()
    non_repeating_flags=(--remove --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __sonactl_add_completions -f
        return
        ;;
    esac
}

_sonactl_playlists_watch() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --count)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--count')
        return
        ;;
    esac
}

_sonactl_likes() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|remove|rate|list)
        # Offer subcommand argument completions
        "_sonactl_likes_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add remove rate list' -- "${cur}"))
        ;;
    esac
}

_sonactl_likes_add() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --kind)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--kind')
        __sonactl_add_completions -W 'track'$'\n''album'$'\n''artist'$'\n''playlist'
        return
        ;;
    esac
}

_sonactl_likes_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --kind)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--kind')
        __sonactl_add_completions -W 'track'$'\n''album'$'\n''artist'$'\n''playlist'
        return
        ;;
    esac
}

_sonactl_likes_rate() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --kind)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--kind')
        __sonactl_add_completions -W 'track'$'\n''album'$'\n''artist'$'\n''playlist'
        return
        ;;
    esac
}

_sonactl_likes_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --kind --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--kind')
        __sonactl_add_completions -W 'track'$'\n''album'$'\n''artist'$'\n''playlist'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_plays() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|stats|report|clear|settings|feed|common)
        # Offer subcommand argument completions
        "_sonactl_plays_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list stats report clear settings feed common' -- "${cur}"))
        ;;
    esac
}

_sonactl_plays_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_plays_stats() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --month --offset --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--month')
        return
        ;;
    '--offset')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_plays_report() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --key --seconds --stream-token)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--key')
        return
        ;;
    '--seconds')
        return
        ;;
    '--stream-token')
        return
        ;;
    esac
}

_sonactl_plays_clear() {
    repeating_flags=()
    non_repeating_flags=(--all --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --older-than-days --track)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--older-than-days')
        return
        ;;
    '--track')
        return
        ;;
    esac
}

_sonactl_plays_settings() {
    repeating_flags=()
    non_repeating_flags=(--private --no-private --share-plays --no-share-plays --share-taste --no-share-taste --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --keep-days)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--keep-days')
        return
        ;;
    esac
}

_sonactl_plays_feed() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_plays_common() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_player() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|transfer|pause|resume|next|previous|seek)
        # Offer subcommand argument completions
        "_sonactl_player_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show transfer pause resume next previous seek' -- "${cur}"))
        ;;
    esac
}

_sonactl_player_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_player_transfer() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_player_pause() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_player_resume() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_player_next() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_player_previous() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_player_seek() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_scrobbling() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|connect|disconnect)
        # Offer subcommand argument completions
        "_sonactl_scrobbling_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list connect disconnect' -- "${cur}"))
        ;;
    esac
}

_sonactl_scrobbling_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_scrobbling_connect() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --address --token-file)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--address')
        return
        ;;
    '--token-file')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W 'listenbrainz'$'\n''lastfm'
        return
        ;;
    esac
}

_sonactl_scrobbling_disconnect() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_submissions() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    send|withdraw|list|approve|reject)
        # Offer subcommand argument completions
        "_sonactl_submissions_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'send withdraw list approve reject' -- "${cur}"))
        ;;
    esac
}

_sonactl_submissions_send() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_submissions_withdraw() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_submissions_list() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --state --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--state')
        __sonactl_add_completions -W 'pending'$'\n''approved'$'\n''rejected'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_submissions_approve() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_submissions_reject() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --reason)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sonactl_jobs() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|retry|cancel)
        # Offer subcommand argument completions
        "_sonactl_jobs_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show retry cancel' -- "${cur}"))
        ;;
    esac
}

_sonactl_jobs_list() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --state --kind --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--state')
        __sonactl_add_completions -W 'queued'$'\n''running'$'\n''done'$'\n''failed'$'\n''cancelled'
        return
        ;;
    '--kind')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_jobs_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_jobs_retry() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_jobs_cancel() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_profile() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|set|photo)
        # Offer subcommand argument completions
        "_sonactl_profile_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show set photo' -- "${cur}"))
        ;;
    esac
}

_sonactl_profile_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_profile_set() {
    repeating_flags=()
    non_repeating_flags=(--no-links --public --private --json --version -h --help)
    repeating_options=(--link)
    non_repeating_options=(--server --token --ca-cert --display-name --bio)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--display-name')
        return
        ;;
    '--bio')
        return
        ;;
    '--link')
        return
        ;;
    esac
}

_sonactl_profile_photo() {
    repeating_flags=()
    non_repeating_flags=(--remove --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_settings() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|set)
        # Offer subcommand argument completions
        "_sonactl_settings_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show set' -- "${cur}"))
        ;;
    esac
}

_sonactl_settings_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_settings_set() {
    repeating_flags=()
    non_repeating_flags=(--shading --no-shading --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --locale --theme --delivery --visibility --presence)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--locale')
        __sonactl_add_completions -W 'en_US'$'\n''pl_PL'$'\n''es_ES'
        return
        ;;
    '--theme')
        __sonactl_add_completions -W 'system'$'\n''light'$'\n''dark'
        return
        ;;
    '--delivery')
        __sonactl_add_completions -W 'interactive'$'\n''party'
        return
        ;;
    '--visibility')
        __sonactl_add_completions -W 'public'$'\n''private'
        return
        ;;
    '--presence')
        __sonactl_add_completions -W 'nobody'$'\n''friends'$'\n''followers'
        return
        ;;
    esac
}

_sonactl_people() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    search|follow|unfollow|block|unblock|followers|following|friends|blocked|presence)
        # Offer subcommand argument completions
        "_sonactl_people_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'search follow unfollow block unblock followers following friends blocked presence' -- "${cur}"))
        ;;
    esac
}

_sonactl_people_search() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_people_follow() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_people_unfollow() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_people_block() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_people_unblock() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_people_followers() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_people_following() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_people_friends() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_people_blocked() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_people_presence() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_share() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --room --track --at --album --playlist --text)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--room')
        return
        ;;
    '--track')
        return
        ;;
    '--at')
        return
        ;;
    '--album')
        return
        ;;
    '--playlist')
        return
        ;;
    '--text')
        return
        ;;
    esac
}

_sonactl_feedback() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_server() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    info|history)
        # Offer subcommand argument completions
        "_sonactl_server_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'info history' -- "${cur}"))
        ;;
    esac
}

_sonactl_server_info() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_server_history() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_stats() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --metrics --every --count)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--metrics')
        return
        ;;
    '--every')
        return
        ;;
    '--count')
        return
        ;;
    esac
}

_sonactl_storage() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_drain() {
    repeating_flags=()
    non_repeating_flags=(--replace --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_users() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|search|show|ban|unban|set-role|sign-out|export|delete)
        # Offer subcommand argument completions
        "_sonactl_users_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list search show ban unban set-role sign-out export delete' -- "${cur}"))
        ;;
    esac
}

_sonactl_users_list() {
    repeating_flags=()
    non_repeating_flags=(--banned --no-banned --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --role --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--role')
        __sonactl_add_completions -W 'user'$'\n''curator'$'\n''admin'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_users_search() {
    repeating_flags=()
    non_repeating_flags=(--banned --no-banned --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --role --limit)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--role')
        __sonactl_add_completions -W 'user'$'\n''curator'$'\n''admin'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_users_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_users_ban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --for --reason)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--for')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sonactl_users_unban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_users_set-role() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __sonactl_add_completions -W 'user'$'\n''curator'$'\n''admin'
        return
        ;;
    esac
}

_sonactl_users_sign-out() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_users_export() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --output)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--output')
        __sonactl_add_completions -f
        return
        ;;
    esac
}

_sonactl_users_delete() {
    repeating_flags=()
    non_repeating_flags=(--pass-on-rooms --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_plans() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|list|set|remove|give|take)
        # Offer subcommand argument completions
        "_sonactl_plans_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show list set remove give take' -- "${cur}"))
        ;;
    esac
}

_sonactl_plans_show() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_plans_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_plans_set() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --storage-mib --uploads-per-day --rooms --bit-rate)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--storage-mib')
        return
        ;;
    '--uploads-per-day')
        return
        ;;
    '--rooms')
        return
        ;;
    '--bit-rate')
        return
        ;;
    esac
}

_sonactl_plans_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_plans_give() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_plans_take() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_addresses() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|ban|unban)
        # Offer subcommand argument completions
        "_sonactl_addresses_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list ban unban' -- "${cur}"))
        ;;
    esac
}

_sonactl_addresses_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_addresses_ban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --user --for --reason)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--user')
        return
        ;;
    '--for')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sonactl_addresses_unban() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_takedown() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    room|message|profile|track|list|lift)
        # Offer subcommand argument completions
        "_sonactl_takedown_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'room message profile track list lift' -- "${cur}"))
        ;;
    esac
}

_sonactl_takedown_room() {
    repeating_flags=()
    non_repeating_flags=(--text --picture --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion takedown room -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_takedown_message() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion takedown message -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_takedown_profile() {
    repeating_flags=()
    non_repeating_flags=(--photo --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_takedown_track() {
    repeating_flags=()
    non_repeating_flags=(--yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --reason)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sonactl_takedown_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_takedown_lift() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_report() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    room|user|list|resolve)
        # Offer subcommand argument completions
        "_sonactl_report_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'room user list resolve' -- "${cur}"))
        ;;
    esac
}

_sonactl_report_room() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --message --kind --text)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--message')
        return
        ;;
    '--kind')
        return
        ;;
    '--text')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __sonactl_add_completions -W "$(__sonactl_custom_complete ---completion report room -- positional@0 "${COMP_CWORD}" "$(__sonactl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_sonactl_report_user() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --in --kind --text)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--in')
        return
        ;;
    '--kind')
        return
        ;;
    '--text')
        return
        ;;
    esac
}

_sonactl_report_list() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --kind --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--kind')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_report_resolve() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --note)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--note')
        return
        ;;
    esac
}

_sonactl_registration() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    invite|invites|revoke|waiting|approve|reject)
        # Offer subcommand argument completions
        "_sonactl_registration_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'invite invites revoke waiting approve reject' -- "${cur}"))
        ;;
    esac
}

_sonactl_registration_invite() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --uses --for --note)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--uses')
        return
        ;;
    '--for')
        return
        ;;
    '--note')
        return
        ;;
    esac
}

_sonactl_registration_invites() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_registration_revoke() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_registration_waiting() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_registration_approve() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_registration_reject() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --reason)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sonactl_words() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|remove)
        # Offer subcommand argument completions
        "_sonactl_words_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add remove' -- "${cur}"))
        ;;
    esac
}

_sonactl_words_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_words_add() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --action)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--action')
        __sonactl_add_completions -W 'refuse'$'\n''mask'$'\n''flag'
        return
        ;;
    esac
}

_sonactl_words_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_journal() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|verify)
        # Offer subcommand argument completions
        "_sonactl_journal_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list verify' -- "${cur}"))
        ;;
    esac
}

_sonactl_journal_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert --kind --user --limit)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    '--kind')
        return
        ;;
    '--user')
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_sonactl_journal_verify() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--server --token --ca-cert)
    __sonactl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--server')
        return
        ;;
    '--token')
        return
        ;;
    '--ca-cert')
        return
        ;;
    esac
}

_sonactl_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __sonactl_offer_flags_options -1
}

complete -o filenames -F _sonactl sonactl
