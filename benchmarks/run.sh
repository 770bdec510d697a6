#!/bin/sh
# Measures Leakline against Python's bare pickle.load of the same files, whole processes, and prints a Markdown table.
#
#   benchmarks/run.sh                                        1 M events, 10 M events, 4.1 GiB, 10 M objects; five runs of each
#   benchmarks/run.sh --events 1000000 --runs 9              that size alone
#   benchmarks/run.sh --objects 10000000                     a holder dump of so many objects alone
#   benchmarks/run.sh --file SNAPSHOT --file ANOTHER         files of your own
#   benchmarks/run.sh --help                                 all options
#
# Needs JDK 25, Maven, and Python 3.11 or newer (PYTHON names it). Files are made in a temporary folder, one at a time.
set -eu

here=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
home=$(dirname "$here")
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "run.sh: needs Python 3.11 or newer; $python is none. Name one in PYTHON" >&2
    exit 2
}
case " $* " in
    *' --help '* | *' -h '*) exec "$python" "$here/measure.py" --help ;;
esac

# The launcher builds the command where it is not built, and knows which JDK to take.
java=$(LEAKLINE_JAVA_OPTS=-XshowSettings:properties "$home/leakline" --version 2>&1 | sed -n 's/^ *java\.home = //p')
[ -x "$java/bin/java" ] || {
    "$home/leakline" --version >&2
    exit 2
}
echo 'run.sh: building the benchmarks' >&2
log=$(JAVA_HOME=$java MAVEN_OPTS="${MAVEN_OPTS-} --sun-misc-unsafe-memory-access=allow" \
    mvn -B -q -f "$home/pom.xml" -Dmaven.test.skip=true -pl benchmarks -am package </dev/null 2>&1) || {
    echo "$log" >&2
    exit 2
}

LEAKLINE_BENCHMARK_JDK=$java exec "$python" "$here/measure.py" "$@"
