# Steps of a long run of tests: each is recorded, some run beside the others, and what failed among others may be tried
# once more, alone. To be sourced by bash; `step`, `beside`, `once_more` and `summary` are for its reader.
records=$(mktemp -d)
passed=() failed=() again=()
# Process groups.
lanes=()
trap 'for lane in ${lanes[@]+"${lanes[@]}"}; do kill -- "-$lane" 2>/dev/null; done; rm -rf "$records"' EXIT

# record NAME COMMAND…: what it prints is kept as $records/NAME.log, its status and seconds as NAME.ended.
record() {
    local name=$1 begin=$SECONDS
    shift
    "$@" 2>&1 | tee "$records/$name.log"
    echo "${PIPESTATUS[0]} $((SECONDS - begin))" >"$records/$name.ended"
}

step() {
    echo "== $1"
    record "$@"
    ended "$1"
}

# beside NAME COMMAND… [-- NAME COMMAND…]…: runs one after the other in a lane of its own; `finish NAME` waits for one.
beside() {
    # A group of its own, so that all of it can be ended.
    set -m
    (
        while [ $# -gt 0 ]; do
            one=()
            while [ $# -gt 0 ] && [ "$1" != -- ]; do one+=("$1"); shift; done
            [ $# -eq 0 ] || shift
            record "${one[@]}" >/dev/null
        done
    ) </dev/null &
    lanes+=($!)
    set +m
}

finish() {
    echo "== $1"
    while [ ! -e "$records/$1.ended" ] && kill -0 "${lanes[@]}" 2>/dev/null; do sleep 0.2; done
    cat "$records/$1.log"
    ended "$1"
}

ended() {
    local status=1 seconds=0
    [ ! -e "$records/$1.ended" ] || read -r status seconds <"$records/$1.ended"
    if [ "$status" = 0 ]; then passed+=("$1 ($seconds s)"); else failed+=("$1"); fi
}

has_failed() {
    local name
    for name in ${failed[@]+"${failed[@]}"}; do [ "$name" != "$1" ] || return 0; done
    return 1
}

# once_more NAME COMMAND…: where NAME has failed, what COMMAND says of it counts.
once_more() { try_again 1 "$@"; }
# twice_more NAME COMMAND…: the same, and where COMMAND fails it is run a second time.
twice_more() { try_again 2 "$@"; }

# try_again TIMES NAME COMMAND…
try_again() {
    local times=$1 before=$2 first=$2 name kept other
    shift 2
    has_failed "$first" || return 0
    for name in "$first, what failed, once more and alone" "$first, what failed, a third time"; do
        [ "$times" -gt 0 ] || return 0
        times=$((times - 1))
        step "$name" "$@"
        again+=("$before")
        # What it comes from is not counted twice.
        kept=()
        for other in "${failed[@]}"; do [ "$other" = "$before" ] || kept+=("$other"); done
        failed=(${kept[@]+"${kept[@]}"})
        has_failed "$name" || return 0
        before=$name
    done
}

faults_of() {
    grep -aE '✘ .*(recorded an issue|Caught error)|error:|^FAILED|Fault:|Fatal|Error:' "$records/$1.log" \
        | cut -c1-300 | tail -n 12 | sed 's/^/        /'
}

# The end of a long log is what people see: what failed comes last, and how.
summary() {
    local name
    echo
    for name in ${passed[@]+"${passed[@]}"}; do echo "ok      $name"; done
    for name in ${again[@]+"${again[@]}"}; do
        echo "AGAIN   $name: failed, and was tried again"
        faults_of "$name"
    done
    for name in ${failed[@]+"${failed[@]}"}; do
        echo "FAILED  $name"
        faults_of "$name"
    done
    echo "${#passed[@]} passed, ${#failed[@]} failed, ${#again[@]} tried again"
    [ ${#failed[@]} -eq 0 ]
}
