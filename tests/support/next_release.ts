/**
 * The program of the release to come: the checkout with one migration more.
 *
 * @module
 */
import type { EndedProgram, KillableProgram } from "./program.ts";
import { programCommand, runProcess, startKillable } from "./program.ts";

const ROOT = new URL("../../", import.meta.url);
const MIGRATIONS = new URL("src/store/sqlite/migrations.ts", ROOT).href;

export interface NextRelease {
  /** Starts its server. */
  readonly serve: (
    settings: Record<string, string>,
  ) => Promise<KillableProgram>;
  /** The same, where no line is waited for. */
  readonly spawn: (settings: Record<string, string>) => Deno.ChildProcess;
  /** Runs one of its commands. */
  readonly run: (
    args: readonly string[],
    settings?: Record<string, string>,
  ) => Promise<EndedProgram>;
}

/** Hands out the program that has a migration after those of today. */
export async function withNextRelease(
  migration: string,
  test: (next: NextRelease) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-next-" });
  try {
    const own = new URL(`file://${folder}/`);
    await Deno.writeTextFile(
      new URL("migrations.ts", own),
      `import * as today from ${JSON.stringify(MIGRATIONS)};
export const APPLICATION_ID = today.APPLICATION_ID;
export const MIGRATIONS = [
  ...today.MIGRATIONS, ${JSON.stringify(migration)}];
export const SCHEMA = MIGRATIONS.length;
`,
    );
    const [{ unstable, compilerOptions }, { imports }] = await Promise.all(
      ["deno.json", "imports.json"].map(async (name) =>
        JSON.parse(await Deno.readTextFile(new URL(name, ROOT)))
      ),
    );
    await Deno.writeTextFile(
      new URL("deno.json", own),
      JSON.stringify({
        imports: { ...imports, [MIGRATIONS]: `${own}migrations.ts` },
        scopes: { [own.href]: { [MIGRATIONS]: MIGRATIONS } },
        unstable,
        compilerOptions,
      }),
    );
    const as = [
      ...["--quiet", "--no-lock", "--no-check"],
      ...["--config", `${folder}/deno.json`],
    ];
    await test({
      serve: (settings) => startKillable(settings, as),
      spawn: (settings) => {
        const { program, args } = programCommand(["serve"], as);
        return new Deno.Command(program, {
          args,
          cwd: ROOT,
          env: { STRONGROOM_LISTEN: "127.0.0.1:0", ...settings },
          stdin: "null",
          stdout: "null",
          stderr: "null",
        }).spawn();
      },
      run: (args, settings) => runProcess(args, settings, undefined, as),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
