function __sonaload_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __sonaload_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __sonaload_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __sonaload_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __sonaload_parse_tokens -S
    set -l unparsed_tokens (__sonaload_tokens -pc)
    switch $unparsed_tokens[1]
    case 'sonaload'
        __sonaload_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'run'
            __sonaload_parse_subcommand 0 'server=' 'token=' 'ca-cert=' 'server-pid=' 'i-own-this-server' 'rooms=' 'frame-ms=' 'bitrate=' 'delivery=' 'seed=' 'listeners=' 'seconds=' 'join-rate=' 'slow=' 'dead=' 'churn=' 'chat=' 'reactions=' 'reconnect=' 'sign-ups=' 'scenario=' 'json=' 'report=' 'compare=' 'fail-if=+' 'version' 'h/help'
        case 'limit'
            __sonaload_parse_subcommand 0 'server=' 'token=' 'ca-cert=' 'server-pid=' 'i-own-this-server' 'rooms=' 'frame-ms=' 'bitrate=' 'delivery=' 'seed=' 'from=' 'to=' 'seconds=' 'delay-p99=' 'loss=' 'join-p99=' 'tolerance=' 'repetitions=' 'json=' 'version' 'h/help'
        case 'report'
            __sonaload_parse_subcommand 2 'o/output=' 'fail-if=+' 'version' 'h/help'
        case 'help'
            __sonaload_parse_subcommand -r 1 'version'
        end
    end
end

function __sonaload_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __sonaload_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __sonaload_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __sonaload_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__sonaload_tokens -p)
    if test -z "$(__sonaload_tokens -t)"
        set -l index (count (__sonaload_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'sonaload' -f
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload" version' -l 'version' -d 'Show the version.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_positional "sonaload" -eq 1' -fa 'run' -d 'Runs one load test. What is meant where no command is named.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_positional "sonaload" -eq 1' -fa 'limit' -d 'Raises the number of listeners until something gives way, and says the number and what it was.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_positional "sonaload" -eq 1' -fa 'report' -d 'Makes a page of a run\'s JSON, or of two runs laid over each other.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_positional "sonaload" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" server' -l 'server' -d 'Address of the server. (default: SONA_SERVER or http://127.0.0.1:8337)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" token' -l 'token' -d 'Access token of the account that owns the rooms, 8 at most; otherwise accounts are made for the test, one for 8 rooms, and removed at its end. (default: SONA_TOKEN)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" ca-cert' -l 'ca-cert' -d 'PEM file of certificates to trust for https, in place of the system\'s. (default: SONA_CA_CERT)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" server-pid' -l 'server-pid' -d 'Process of the server on this machine: its processor time and memory are measured.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" i-own-this-server' -l 'i-own-this-server' -d 'Needed for servers that are not on this machine.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" rooms' -l 'rooms' -d 'Rooms, each with a host.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" frame-ms' -l 'frame-ms' -d 'Length of an Opus packet: 2.5, 5, 10, 20, 40, 60, 80, 100 or 120.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" bitrate' -l 'bitrate' -d 'Bit rate of each room\'s sound, 6 to 510.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" delivery' -l 'delivery' -d 'How the server is to send: each packet at once, or gathered for up to 60 ms. (values: interactive, party)' -rfka 'interactive party'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" seed' -l 'seed' -d 'What everything that is drawn is drawn from; the same seed repeats a run. (default: a new one, which is printed)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" listeners' -l 'listeners' -d 'Listeners over all rooms, slow and dead ones included.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" seconds' -l 'seconds' -d 'How long is measured, once everybody is in (with --join-rate: once the last has been sent for).' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" join-rate' -l 'join-rate' -d 'Listeners join at this rate while it is measured; otherwise before.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" slow' -l 'slow' -d 'How many of the listeners read at half the rate of their room.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" dead' -l 'dead' -d 'How many of the listeners stop reading once they hear something.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" churn' -l 'churn' -d 'Listeners that leave and are replaced.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" chat' -l 'chat' -d 'Chat messages over all rooms.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" reactions' -l 'reactions' -d 'Reactions over all rooms.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" reconnect' -l 'reconnect' -d 'Share of the listeners whose connections are cut when half of the time is over, and who come back.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" sign-ups' -l 'sign-ups' -d 'Accounts that are made.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" scenario' -l 'scenario' -d 'What is to happen, as JSON (README, "Scenario files"); - reads standard input. In place of the options of rooms, sound and listeners.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" json' -l 'json' -d 'Writes everything that was measured as JSON; - is standard output.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" report' -l 'report' -d 'Writes a page with curves, which needs nothing else.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" compare' -l 'compare' -d 'JSON of another run, drawn into the report\'s curves.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run"' -l 'fail-if' -d 'Exit code 1 if this holds: delay.p99>50ms, lost>0, lost%>0.1, listeners_missing>0. May be given several times.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" version' -l 'version' -d 'Show the version.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" server' -l 'server' -d 'Address of the server. (default: SONA_SERVER or http://127.0.0.1:8337)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" token' -l 'token' -d 'Access token of the account that owns the rooms, 8 at most; otherwise accounts are made for the test, one for 8 rooms, and removed at its end. (default: SONA_TOKEN)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" ca-cert' -l 'ca-cert' -d 'PEM file of certificates to trust for https, in place of the system\'s. (default: SONA_CA_CERT)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" server-pid' -l 'server-pid' -d 'Process of the server on this machine: its processor time and memory are measured.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" i-own-this-server' -l 'i-own-this-server' -d 'Needed for servers that are not on this machine.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" rooms' -l 'rooms' -d 'Rooms, each with a host.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" frame-ms' -l 'frame-ms' -d 'Length of an Opus packet: 2.5, 5, 10, 20, 40, 60, 80, 100 or 120.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" bitrate' -l 'bitrate' -d 'Bit rate of each room\'s sound, 6 to 510.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" delivery' -l 'delivery' -d 'How the server is to send: each packet at once, or gathered for up to 60 ms. (values: interactive, party)' -rfka 'interactive party'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" seed' -l 'seed' -d 'What everything that is drawn is drawn from; the same seed repeats a run. (default: a new one, which is printed)' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" from' -l 'from' -d 'The number to begin with.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" to' -l 'to' -d 'The greatest number to try.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" seconds' -l 'seconds' -d 'How long each run measures.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" delay-p99' -l 'delay-p99' -d 'One packet in a hundred may take longer. A busy server gathers packets for up to 120 ms, on purpose.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" loss' -l 'loss' -d 'So much may be lost.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" join-p99' -l 'join-p99' -d 'One join in a hundred may take longer, to the first packet.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" tolerance' -l 'tolerance' -d 'How near to each other two numbers are the same.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" repetitions' -l 'repetitions' -d 'How often the number is looked for again.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" json' -l 'json' -d 'Writes the number and every run as JSON; - is standard output.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" version' -l 'version' -d 'Show the version.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload limit" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload report" o output' -s 'o' -l 'output' -d 'Where the page is written; - is standard output.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload report"' -l 'fail-if' -d 'Exit code 1 if this holds. May be given several times.' -rfka ''
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload report" version' -l 'version' -d 'Show the version.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload report" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sonaload' -n '__sonaload_should_offer_completions_for_flags_or_options "sonaload help" version' -l 'version' -d 'Show the version.'
