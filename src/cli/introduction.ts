/**
 * What the server is about to make, for whoever runs it by hand in a place
 * where there is none yet.
 *
 * @module
 */
import type { Config } from "../config.ts";
import { dataDirectoryState } from "../store/health.ts";

/** A few lines; none where the data directory is there. */
export function introduction(config: Config): string[] {
  const { STRONGROOM_DATA_DIR: dataDir, STRONGROOM_REGISTRATION: who } = config;
  if (dataDirectoryState(dataDir).kind !== "fresh") return [];
  return [
    `there is no server in ${dataDir} yet: a new one is made there, with a ` +
    "database, a place for blobs, and keys that sign for them",
    ...who === "open"
      ? [
        "whoever reaches it may register: STRONGROOM_REGISTRATION=closed " +
        "ends that",
      ]
      : [],
    "strongroom init writes a file with every setting; strongroom --help " +
    "lists the commands",
  ];
}
