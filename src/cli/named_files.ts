/**
 * Files of the operator's that the server gives to the web app: what keeps them
 * from being offered.
 *
 * @module
 */
import type { SettingReading } from "../config.ts";
import type { SettingFault } from "../core/operator.ts";
import { faultOfMap } from "../assets/map_file.ts";

/** What is wrong with the files that settings name; the server starts anyway. */
export async function adviceForFiles(
  settings: readonly Pick<SettingReading, "name" | "text">[],
): Promise<SettingFault[]> {
  const found = await Promise.all(settings.map(adviceForFile));
  return found.flatMap((one) => one ?? []);
}

async function adviceForFile(
  { name: setting, text: path }: Pick<SettingReading, "name" | "text">,
): Promise<SettingFault | undefined> {
  if (path === "" || setting !== "STRONGROOM_MAP_FILE") return undefined;
  const what = await faultOfMap(path);
  const mend = "correct the path, or get the file again, as map.md " +
    "describes it; or remove the setting";
  return what === undefined ? undefined : { setting, what, mend };
}
