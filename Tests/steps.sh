# Steps of a long run of tests: each is recorded, and some run beside the others. To be sourced by bash; `step`, `beside`,
# `finish` and `summary` are for its reader. Nothing is tried a second time: a test that fails now and then is a bug.
records=.build/test-records
rm -rf "$records"
mkdir -p "$records"
passed=() failed=()
# Process groups.
lanes=()
trap 'for lane in ${lanes[@]+"${lanes[@]}"}; do kill -- "-$lane" 2>/dev/null; done' EXIT

# record NAME COMMAND…: keeps what COMMAND prints as $records/NAME.log, and as NAME.ended its status, its seconds and its
# seconds of processor time.
record() {
    local name=$1 TIMEFORMAT='%R %U %S' status
    shift
    {
        time {
            "$@" 2>&1 | tee "$records/$name.log"
            status=${PIPESTATUS[0]}
        }
    } 2>"$records/$name.time"
    awk -v status="$status" '{ printf "%d %.0f %.0f\n", status, $1, $2 + $3 }' "$records/$name.time" >"$records/$name.ended"
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
    local status=1 seconds=0 processor=0
    [ ! -e "$records/$1.ended" ] || read -r status seconds processor <"$records/$1.ended"
    if [ "$status" = 0 ]; then passed+=("$1 ($seconds s, $processor s of processor)"); else failed+=("$1"); fi
}

# The end of a long log is what people see: what was left out, and last what failed, and how.
summary() {
    local name
    echo
    told SKIPPED '^SKIPPED  |^➜ .* skipped'
    told KNOWN '^KNOWN  |recorded a known issue'
    for name in ${passed[@]+"${passed[@]}"}; do echo "ok      $name"; done
    for name in ${failed[@]+"${failed[@]}"}; do
        echo "FAILED  $name: $records/$name.log"
        grep -aE '✘ .*(recorded an issue|Caught error)|error:|^FAILED|Fault:|Fatal|Error:|waiting for locator|intercepts pointer|in run$' "$records/$name.log" \
            | cut -c1-300 | tail -n 12 | sed 's/^/        /'
    done
    echo "${#passed[@]} passed, ${#failed[@]} failed"
    [ ${#failed[@]} -eq 0 ]
}

# told WORD PATTERN: the lines of all steps that say a test was left out, or that a defect is known; and their number.
told() {
    local lines
    lines=$(cat "$records"/*.log 2>/dev/null | grep -aE "$2" | cut -c1-200 | sort | uniq)
    [ -z "$lines" ] || sed 's/^/        /' <<<"$lines"
    printf '%-7s %d\n' "$1" "$(grep -c . <<<"$lines")"
}
