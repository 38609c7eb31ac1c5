/**
 * Where the programs for people keep what is a person's: the secret in the
 * configuration, everything else in the state (XDG Base Directory
 * Specification), one folder of each for every profile.
 *
 * @module
 */
import { join } from "node:path";
import { OperatorFault } from "../../../core/operator.ts";

/** The files of a profile. */
export interface Places {
  readonly configDirectory: string;
  /** Tokens and the master key: mode 0600. */
  readonly secret: string;
  readonly stateDirectory: string;
  /** The index, receipts, and which file is which asset. */
  readonly database: string;
  readonly lock: string;
}

const PROFILE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** A variable of the environment by its name. */
type Variable = (name: string) => string | undefined;

/** The places of a profile. */
export function placesOf(profile: string, variable: Variable): Places {
  if (!PROFILE.test(profile)) {
    throw new OperatorFault(
      "a profile's name has 1 to 64 letters, digits, hyphens and underscores",
    );
  }
  const configDirectory = join(
    directoryOf(variable, "XDG_CONFIG_HOME", ".config"),
    "strongroom",
    profile,
  );
  const stateDirectory = join(
    stateHome(variable),
    "strongroom",
    profile,
  );
  return {
    configDirectory,
    secret: join(configDirectory, "secret"),
    stateDirectory,
    database: join(stateDirectory, "library.sqlite"),
    lock: join(stateDirectory, "lock"),
  };
}

/** Where programs keep what is not configured and not a cache. */
export function stateHome(variable: Variable): string {
  return directoryOf(variable, "XDG_STATE_HOME", ".local", "state");
}

function directoryOf(
  variable: Variable,
  name: string,
  ...below: readonly string[]
): string {
  const named = variable(name);
  // The specification has relative ones ignored.
  if (named !== undefined && /^([/\\]|[A-Za-z]:)/.test(named)) return named;
  const home = variable("HOME") ?? variable("USERPROFILE");
  if (home !== undefined && home !== "") return join(home, ...below);
  throw new OperatorFault(
    `neither ${name} nor HOME is set: set one`,
  );
}
