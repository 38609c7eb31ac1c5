/**
 * The runtime of the npm registry is started by a Node.js script that hands no
 * signal on: whoever stops `npx deno task start` stops that script alone. The
 * task is told when it is gone.
 *
 * @module
 */

/** `$1` is the task. Of /proc/PID/stat the name may hold anything but is first. */
const WATCH = `
parent() {
  read -r line <"/proc/$1/stat" || return
  set -- \${line##*) }
  echo "$2"
}
wrapper=$(parent "$1") || exit
case $(readlink "/proc/$wrapper/exe") in
*/node | */nodejs) ;;
*) exit ;;
esac
while kill -0 "$1"; do
  [ "$(parent "$1")" = "$wrapper" ] || {
    kill -TERM "$1"
    exit
  }
  sleep 1
done
`;

/**
 * Has this process's parent, a `deno task`, get SIGTERM once the script that
 * started it has ended. Does nothing where no such script did, and where this
 * may run no program.
 */
export function endWithWrapper(): void {
  if (Deno.build.os !== "linux") return;
  try {
    new Deno.Command("sh", {
      args: ["-c", WATCH, "sh", String(Deno.ppid)],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}
