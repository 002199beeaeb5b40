#!/bin/bash

__sona_cursor_index_in_current_word() {
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
__sona_offer_flags_options() {
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

__sona_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__sona_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_sona() {
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
    __sona_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    serve|drain|setup-link|config|user|address|registration|journal|backup|restore|migrate|doctor|help)
        # Offer subcommand argument completions
        "_sona_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'serve drain setup-link config user address registration journal backup restore migrate doctor help' -- "${cur}"))
        ;;
    esac
}

_sona_serve() {
    repeating_flags=()
    non_repeating_flags=(--echo --no-echo --no-subsonic --no-no-subsonic --terms-required --no-terms-required --guests --no-guests --maintenance --no-maintenance --demo --no-demo --private-services --no-private-services --new-keys --take-over --new-database --version -h --help)
    repeating_options=(--listen --allow-origin --allow-host --trusted-proxy --exempt --music)
    non_repeating_options=(--config --data --loops --tls-cert --tls-key --hsts-days --metrics --public-url --account-budgets --resume-seconds --rescan-every --guests-hear --rendition-space --autoplay-rest --upload-max --upload-quota --upload-space --icecast-listen --snapcast-listen --snapcast-room --radio-burst --radio-silence --radio-encodings --name --logo --banner --contact --policy-url --feedback-url --stars-url --registration --absent-owner-days --replay-days --recording-space --data-saver-kbps --data-saver-rooms --robots --log-level --log-format --smtp --smtp-user --smtp-password-file --smtp-tls --sendmail --mail-from --backup-to --backup-every --backup-at --backup-keep --backup-passphrase-file --firebase-project --firebase-keys --lastfm-key --lastfm-secret-file --lastfm-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--listen')
        return
        ;;
    '--loops')
        return
        ;;
    '--tls-cert')
        return
        ;;
    '--tls-key')
        return
        ;;
    '--hsts-days')
        return
        ;;
    '--metrics')
        return
        ;;
    '--public-url')
        return
        ;;
    '--allow-origin')
        return
        ;;
    '--allow-host')
        return
        ;;
    '--trusted-proxy')
        return
        ;;
    '--exempt')
        return
        ;;
    '--account-budgets')
        return
        ;;
    '--resume-seconds')
        return
        ;;
    '--music')
        return
        ;;
    '--rescan-every')
        return
        ;;
    '--guests-hear')
        return
        ;;
    '--rendition-space')
        return
        ;;
    '--autoplay-rest')
        return
        ;;
    '--upload-max')
        return
        ;;
    '--upload-quota')
        return
        ;;
    '--upload-space')
        return
        ;;
    '--icecast-listen')
        return
        ;;
    '--snapcast-listen')
        return
        ;;
    '--snapcast-room')
        return
        ;;
    '--radio-burst')
        return
        ;;
    '--radio-silence')
        return
        ;;
    '--radio-encodings')
        return
        ;;
    '--name')
        return
        ;;
    '--logo')
        return
        ;;
    '--banner')
        return
        ;;
    '--contact')
        return
        ;;
    '--policy-url')
        return
        ;;
    '--feedback-url')
        return
        ;;
    '--stars-url')
        return
        ;;
    '--registration')
        return
        ;;
    '--absent-owner-days')
        return
        ;;
    '--replay-days')
        return
        ;;
    '--recording-space')
        return
        ;;
    '--data-saver-kbps')
        return
        ;;
    '--data-saver-rooms')
        return
        ;;
    '--robots')
        return
        ;;
    '--log-level')
        return
        ;;
    '--log-format')
        return
        ;;
    '--smtp')
        return
        ;;
    '--smtp-user')
        return
        ;;
    '--smtp-password-file')
        return
        ;;
    '--smtp-tls')
        return
        ;;
    '--sendmail')
        return
        ;;
    '--mail-from')
        return
        ;;
    '--backup-to')
        return
        ;;
    '--backup-every')
        return
        ;;
    '--backup-at')
        return
        ;;
    '--backup-keep')
        return
        ;;
    '--backup-passphrase-file')
        return
        ;;
    '--firebase-project')
        return
        ;;
    '--firebase-keys')
        return
        ;;
    '--lastfm-key')
        return
        ;;
    '--lastfm-secret-file')
        return
        ;;
    '--lastfm-url')
        return
        ;;
    esac
}

_sona_drain() {
    repeating_flags=()
    non_repeating_flags=(--json --replace --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_setup-link() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    check|show|doc)
        # Offer subcommand argument completions
        "_sona_config_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'check show doc' -- "${cur}"))
        ;;
    esac
}

_sona_config_check() {
    repeating_flags=()
    non_repeating_flags=(--echo --no-echo --no-subsonic --no-no-subsonic --terms-required --no-terms-required --guests --no-guests --maintenance --no-maintenance --demo --no-demo --private-services --no-private-services --version -h --help)
    repeating_options=(--listen --allow-origin --allow-host --trusted-proxy --exempt --music)
    non_repeating_options=(--config --data --loops --tls-cert --tls-key --hsts-days --metrics --public-url --account-budgets --resume-seconds --rescan-every --guests-hear --rendition-space --autoplay-rest --upload-max --upload-quota --upload-space --icecast-listen --snapcast-listen --snapcast-room --radio-burst --radio-silence --radio-encodings --name --logo --banner --contact --policy-url --feedback-url --stars-url --registration --absent-owner-days --replay-days --recording-space --data-saver-kbps --data-saver-rooms --robots --log-level --log-format --smtp --smtp-user --smtp-password-file --smtp-tls --sendmail --mail-from --backup-to --backup-every --backup-at --backup-keep --backup-passphrase-file --firebase-project --firebase-keys --lastfm-key --lastfm-secret-file --lastfm-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--listen')
        return
        ;;
    '--loops')
        return
        ;;
    '--tls-cert')
        return
        ;;
    '--tls-key')
        return
        ;;
    '--hsts-days')
        return
        ;;
    '--metrics')
        return
        ;;
    '--public-url')
        return
        ;;
    '--allow-origin')
        return
        ;;
    '--allow-host')
        return
        ;;
    '--trusted-proxy')
        return
        ;;
    '--exempt')
        return
        ;;
    '--account-budgets')
        return
        ;;
    '--resume-seconds')
        return
        ;;
    '--music')
        return
        ;;
    '--rescan-every')
        return
        ;;
    '--guests-hear')
        return
        ;;
    '--rendition-space')
        return
        ;;
    '--autoplay-rest')
        return
        ;;
    '--upload-max')
        return
        ;;
    '--upload-quota')
        return
        ;;
    '--upload-space')
        return
        ;;
    '--icecast-listen')
        return
        ;;
    '--snapcast-listen')
        return
        ;;
    '--snapcast-room')
        return
        ;;
    '--radio-burst')
        return
        ;;
    '--radio-silence')
        return
        ;;
    '--radio-encodings')
        return
        ;;
    '--name')
        return
        ;;
    '--logo')
        return
        ;;
    '--banner')
        return
        ;;
    '--contact')
        return
        ;;
    '--policy-url')
        return
        ;;
    '--feedback-url')
        return
        ;;
    '--stars-url')
        return
        ;;
    '--registration')
        return
        ;;
    '--absent-owner-days')
        return
        ;;
    '--replay-days')
        return
        ;;
    '--recording-space')
        return
        ;;
    '--data-saver-kbps')
        return
        ;;
    '--data-saver-rooms')
        return
        ;;
    '--robots')
        return
        ;;
    '--log-level')
        return
        ;;
    '--log-format')
        return
        ;;
    '--smtp')
        return
        ;;
    '--smtp-user')
        return
        ;;
    '--smtp-password-file')
        return
        ;;
    '--smtp-tls')
        return
        ;;
    '--sendmail')
        return
        ;;
    '--mail-from')
        return
        ;;
    '--backup-to')
        return
        ;;
    '--backup-every')
        return
        ;;
    '--backup-at')
        return
        ;;
    '--backup-keep')
        return
        ;;
    '--backup-passphrase-file')
        return
        ;;
    '--firebase-project')
        return
        ;;
    '--firebase-keys')
        return
        ;;
    '--lastfm-key')
        return
        ;;
    '--lastfm-secret-file')
        return
        ;;
    '--lastfm-url')
        return
        ;;
    esac
}

_sona_config_show() {
    repeating_flags=()
    non_repeating_flags=(--echo --no-echo --no-subsonic --no-no-subsonic --terms-required --no-terms-required --guests --no-guests --maintenance --no-maintenance --demo --no-demo --private-services --no-private-services --json --version -h --help)
    repeating_options=(--listen --allow-origin --allow-host --trusted-proxy --exempt --music)
    non_repeating_options=(--config --data --loops --tls-cert --tls-key --hsts-days --metrics --public-url --account-budgets --resume-seconds --rescan-every --guests-hear --rendition-space --autoplay-rest --upload-max --upload-quota --upload-space --icecast-listen --snapcast-listen --snapcast-room --radio-burst --radio-silence --radio-encodings --name --logo --banner --contact --policy-url --feedback-url --stars-url --registration --absent-owner-days --replay-days --recording-space --data-saver-kbps --data-saver-rooms --robots --log-level --log-format --smtp --smtp-user --smtp-password-file --smtp-tls --sendmail --mail-from --backup-to --backup-every --backup-at --backup-keep --backup-passphrase-file --firebase-project --firebase-keys --lastfm-key --lastfm-secret-file --lastfm-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--listen')
        return
        ;;
    '--loops')
        return
        ;;
    '--tls-cert')
        return
        ;;
    '--tls-key')
        return
        ;;
    '--hsts-days')
        return
        ;;
    '--metrics')
        return
        ;;
    '--public-url')
        return
        ;;
    '--allow-origin')
        return
        ;;
    '--allow-host')
        return
        ;;
    '--trusted-proxy')
        return
        ;;
    '--exempt')
        return
        ;;
    '--account-budgets')
        return
        ;;
    '--resume-seconds')
        return
        ;;
    '--music')
        return
        ;;
    '--rescan-every')
        return
        ;;
    '--guests-hear')
        return
        ;;
    '--rendition-space')
        return
        ;;
    '--autoplay-rest')
        return
        ;;
    '--upload-max')
        return
        ;;
    '--upload-quota')
        return
        ;;
    '--upload-space')
        return
        ;;
    '--icecast-listen')
        return
        ;;
    '--snapcast-listen')
        return
        ;;
    '--snapcast-room')
        return
        ;;
    '--radio-burst')
        return
        ;;
    '--radio-silence')
        return
        ;;
    '--radio-encodings')
        return
        ;;
    '--name')
        return
        ;;
    '--logo')
        return
        ;;
    '--banner')
        return
        ;;
    '--contact')
        return
        ;;
    '--policy-url')
        return
        ;;
    '--feedback-url')
        return
        ;;
    '--stars-url')
        return
        ;;
    '--registration')
        return
        ;;
    '--absent-owner-days')
        return
        ;;
    '--replay-days')
        return
        ;;
    '--recording-space')
        return
        ;;
    '--data-saver-kbps')
        return
        ;;
    '--data-saver-rooms')
        return
        ;;
    '--robots')
        return
        ;;
    '--log-level')
        return
        ;;
    '--log-format')
        return
        ;;
    '--smtp')
        return
        ;;
    '--smtp-user')
        return
        ;;
    '--smtp-password-file')
        return
        ;;
    '--smtp-tls')
        return
        ;;
    '--sendmail')
        return
        ;;
    '--mail-from')
        return
        ;;
    '--backup-to')
        return
        ;;
    '--backup-every')
        return
        ;;
    '--backup-at')
        return
        ;;
    '--backup-keep')
        return
        ;;
    '--backup-passphrase-file')
        return
        ;;
    '--firebase-project')
        return
        ;;
    '--firebase-keys')
        return
        ;;
    '--lastfm-key')
        return
        ;;
    '--lastfm-secret-file')
        return
        ;;
    '--lastfm-url')
        return
        ;;
    esac
}

_sona_config_doc() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options 0
}

_sona_user() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|set-role|set-password|recovery-link|confirmation-link|ban|unban)
        # Offer subcommand argument completions
        "_sona_user_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list set-role set-password recovery-link confirmation-link ban unban' -- "${cur}"))
        ;;
    esac
}

_sona_user_create() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --email --username --role --password-file)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--email')
        return
        ;;
    '--username')
        return
        ;;
    '--role')
        __sona_add_completions -W 'user'$'\n''curator'$'\n''admin'
        return
        ;;
    '--password-file')
        return
        ;;
    esac
}

_sona_user_list() {
    repeating_flags=()
    non_repeating_flags=(--json --banned --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --role)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--role')
        __sona_add_completions -W 'user'$'\n''curator'$'\n''admin'
        return
        ;;
    esac
}

_sona_user_set-role() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __sona_add_completions -W 'user'$'\n''curator'$'\n''admin'
        return
        ;;
    esac
}

_sona_user_set-password() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --password-file)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--password-file')
        return
        ;;
    esac
}

_sona_user_recovery-link() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_user_confirmation-link() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --email)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--email')
        return
        ;;
    esac
}

_sona_user_ban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --seconds --reason)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--seconds')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sona_user_unban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_address() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|ban|unban)
        # Offer subcommand argument completions
        "_sona_address_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list ban unban' -- "${cur}"))
        ;;
    esac
}

_sona_address_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_address_ban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --seconds --reason)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--seconds')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sona_address_unban() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_registration() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    invite|invites|revoke|waiting|approve|reject)
        # Offer subcommand argument completions
        "_sona_registration_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'invite invites revoke waiting approve reject' -- "${cur}"))
        ;;
    esac
}

_sona_registration_invite() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --uses --seconds --note)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--uses')
        return
        ;;
    '--seconds')
        return
        ;;
    '--note')
        return
        ;;
    esac
}

_sona_registration_invites() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_registration_revoke() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_registration_waiting() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_registration_approve() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_registration_reject() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url --reason)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    '--reason')
        return
        ;;
    esac
}

_sona_journal() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --public-url)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--public-url')
        return
        ;;
    esac
}

_sona_backup() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|verify|prune)
        # Offer subcommand argument completions
        "_sona_backup_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list verify prune' -- "${cur}"))
        ;;
    esac
}

_sona_backup_create() {
    repeating_flags=()
    non_repeating_flags=(--json --with-renditions --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --passphrase-file --keep)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--passphrase-file')
        return
        ;;
    '--keep')
        return
        ;;
    esac
}

_sona_backup_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    esac
}

_sona_backup_verify() {
    repeating_flags=()
    non_repeating_flags=(--json --all --quick --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --name)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--name')
        return
        ;;
    esac
}

_sona_backup_prune() {
    repeating_flags=()
    non_repeating_flags=(--json --dry-run --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --keep)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--keep')
        return
        ;;
    esac
}

_sona_restore() {
    repeating_flags=()
    non_repeating_flags=(--without-keys --force --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data --name --passphrase-file)
    __sona_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--name')
        return
        ;;
    '--passphrase-file')
        return
        ;;
    esac
}

_sona_migrate() {
    repeating_flags=()
    non_repeating_flags=(--json --dry-run --version -h --help)
    repeating_options=()
    non_repeating_options=(--config --data)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    esac
}

_sona_doctor() {
    repeating_flags=()
    non_repeating_flags=(--echo --no-echo --no-subsonic --no-no-subsonic --terms-required --no-terms-required --guests --no-guests --maintenance --no-maintenance --demo --no-demo --private-services --no-private-services --json --version -h --help)
    repeating_options=(--listen --allow-origin --allow-host --trusted-proxy --exempt --music)
    non_repeating_options=(--config --data --loops --tls-cert --tls-key --hsts-days --metrics --public-url --account-budgets --resume-seconds --rescan-every --guests-hear --rendition-space --autoplay-rest --upload-max --upload-quota --upload-space --icecast-listen --snapcast-listen --snapcast-room --radio-burst --radio-silence --radio-encodings --name --logo --banner --contact --policy-url --feedback-url --stars-url --registration --absent-owner-days --replay-days --recording-space --data-saver-kbps --data-saver-rooms --robots --log-level --log-format --smtp --smtp-user --smtp-password-file --smtp-tls --sendmail --mail-from --backup-to --backup-every --backup-at --backup-keep --backup-passphrase-file --firebase-project --firebase-keys --lastfm-key --lastfm-secret-file --lastfm-url --unit)
    __sona_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        return
        ;;
    '--data')
        return
        ;;
    '--listen')
        return
        ;;
    '--loops')
        return
        ;;
    '--tls-cert')
        return
        ;;
    '--tls-key')
        return
        ;;
    '--hsts-days')
        return
        ;;
    '--metrics')
        return
        ;;
    '--public-url')
        return
        ;;
    '--allow-origin')
        return
        ;;
    '--allow-host')
        return
        ;;
    '--trusted-proxy')
        return
        ;;
    '--exempt')
        return
        ;;
    '--account-budgets')
        return
        ;;
    '--resume-seconds')
        return
        ;;
    '--music')
        return
        ;;
    '--rescan-every')
        return
        ;;
    '--guests-hear')
        return
        ;;
    '--rendition-space')
        return
        ;;
    '--autoplay-rest')
        return
        ;;
    '--upload-max')
        return
        ;;
    '--upload-quota')
        return
        ;;
    '--upload-space')
        return
        ;;
    '--icecast-listen')
        return
        ;;
    '--snapcast-listen')
        return
        ;;
    '--snapcast-room')
        return
        ;;
    '--radio-burst')
        return
        ;;
    '--radio-silence')
        return
        ;;
    '--radio-encodings')
        return
        ;;
    '--name')
        return
        ;;
    '--logo')
        return
        ;;
    '--banner')
        return
        ;;
    '--contact')
        return
        ;;
    '--policy-url')
        return
        ;;
    '--feedback-url')
        return
        ;;
    '--stars-url')
        return
        ;;
    '--registration')
        return
        ;;
    '--absent-owner-days')
        return
        ;;
    '--replay-days')
        return
        ;;
    '--recording-space')
        return
        ;;
    '--data-saver-kbps')
        return
        ;;
    '--data-saver-rooms')
        return
        ;;
    '--robots')
        return
        ;;
    '--log-level')
        return
        ;;
    '--log-format')
        return
        ;;
    '--smtp')
        return
        ;;
    '--smtp-user')
        return
        ;;
    '--smtp-password-file')
        return
        ;;
    '--smtp-tls')
        return
        ;;
    '--sendmail')
        return
        ;;
    '--mail-from')
        return
        ;;
    '--backup-to')
        return
        ;;
    '--backup-every')
        return
        ;;
    '--backup-at')
        return
        ;;
    '--backup-keep')
        return
        ;;
    '--backup-passphrase-file')
        return
        ;;
    '--firebase-project')
        return
        ;;
    '--firebase-keys')
        return
        ;;
    '--lastfm-key')
        return
        ;;
    '--lastfm-secret-file')
        return
        ;;
    '--lastfm-url')
        return
        ;;
    '--unit')
        return
        ;;
    esac
}

_sona_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __sona_offer_flags_options -1
}

complete -o filenames -F _sona sona
