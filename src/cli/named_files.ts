/**
 * Files of the operator's that the server gives to the web app: what keeps them
 * from being offered.
 *
 * @module
 */
import type { SettingReading } from "../config.ts";
import type { SettingFault } from "../core/operator.ts";
import { say, type Sentence } from "../core/sentence.ts";
import { faultOfMap, notOffered } from "../assets/map_file.ts";

/** A fault whose words other languages have. */
interface FileFault extends SettingFault {
  readonly sentence: Sentence;
}

/** What is wrong with the files that settings name; the server starts anyway. */
export async function adviceForFiles(
  settings: readonly Pick<SettingReading, "name" | "text">[],
): Promise<FileFault[]> {
  const found = await Promise.all(settings.map(adviceForFile));
  return found.flatMap((one) => one ?? []);
}

async function adviceForFile(
  { name: setting, text: path }: Pick<SettingReading, "name" | "text">,
): Promise<FileFault | undefined> {
  if (path === "" || setting !== "STRONGROOM_MAP_FILE") return undefined;
  const fault = await faultOfMap(path);
  if (fault === undefined) return undefined;
  const mend = "correct the path, or get the file again, as map.md " +
    "describes it; or remove the setting";
  return {
    ...{ setting, mend, what: fault.what },
    sentence: say(
      `STRONGROOM_MAP_FILE: ${notOffered("{1}", "{2}")}`,
      path,
      fault.reason,
    ),
  };
}
