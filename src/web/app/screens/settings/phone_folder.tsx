/**
 * On the page `phone`: a folder of this device whose new photos are added by
 * one press, where the browser may read it again.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { Button } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import {
  addFrom,
  canKeepFolder,
  chooseFolder,
  forgetFolder,
  keptFolder,
} from "../../upload/folders.ts";
import { messages } from "../../messages.ts";
import { Group } from "./parts.tsx";

/** Nothing where the browser cannot do it. */
export function FromFolder() {
  const { phone } = messages.value;
  const loaded = useLoaded(
    () => canKeepFolder() ? keptFolder() : Promise.resolve(undefined),
    [],
  );
  const doing = useDoing();
  const [said, setSaid] = useState("");
  if (!canKeepFolder()) return null;
  const kept = loaded.value;
  const choose = () =>
    doing.run(async () => {
      setSaid("");
      if (await chooseFolder() !== undefined) loaded.again();
    });
  const look = () =>
    doing.run(async () => {
      if (kept === undefined) return;
      const count = await addFrom(kept);
      setSaid(
        count === undefined
          ? phone.folderDenied
          : count === 0
          ? phone.folderNone
          : phone.folderNew({ n: count }),
      );
      loaded.again();
    });
  const forget = () =>
    doing.run(async () => {
      await forgetFolder();
      setSaid("");
      loaded.again();
    });
  return (
    <Group title={phone.folder} why={phone.folderWhy}>
      <p role="status">{said}</p>
      <Refused doing={doing} />
      <div class="actions start">
        {kept === undefined
          ? (
            <Button icon="folder" busy={doing.busy} onClick={choose}>
              {phone.folderChoose}
            </Button>
          )
          : (
            <>
              <Button
                kind="main"
                icon="folder"
                busy={doing.busy}
                onClick={look}
              >
                {phone.folderAdd({ name: kept.handle.name })}
              </Button>
              <Button busy={doing.busy} onClick={choose}>
                {phone.folderOther}
              </Button>
              <Button kind="quiet" busy={doing.busy} onClick={forget}>
                {phone.folderForget}
              </Button>
            </>
          )}
      </div>
    </Group>
  );
}
