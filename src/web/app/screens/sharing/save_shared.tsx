/**
 * Saving what a link shows to one's own library. The page of the link leads
 * here with the link's key in the fragment; it never sees the account's keys,
 * and nothing is saved before the person says so.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Button, Notice, Progress } from "../../parts/controls.tsx";
import { href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** The view at `#/sharing/save/<id>.<key>`. */
export function SaveShared({ link }: { readonly link: string }) {
  const { sharing, link: linkTexts } = messages.value;
  const [opaqueId = "", key = ""] = link.split(".");
  const [at, setAt] = useState<
    { readonly done: number; readonly of: number }
  >();
  const [said, setSaid] = useState<string>();
  const [fault, setFault] = useState<string>();
  const save = async () => {
    setFault(undefined);
    setAt({ done: 0, of: 1 });
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => setAt(data);
    try {
      const { kept, known, failed } = await vault().sharing
        .saveShared(opaqueId, key, undefined, port2);
      setSaid([
        sharing.savedShared({ n: kept }),
        ...(known > 0 ? [sharing.known({ known })] : []),
        ...(failed > 0 ? [linkTexts.unread({ n: failed })] : []),
      ].join(" \u00b7 "));
    } catch (error) {
      setFault(faultText(error));
    } finally {
      port1.close();
      setAt(undefined);
    }
  };
  return (
    <div class="view narrow">
      <header class="view-head">
        <h1>{sharing.saveShared}</h1>
      </header>
      <p class="measure">{sharing.saveSharedHint}</p>
      {fault !== undefined && <Notice>{fault}</Notice>}
      {at !== undefined && (
        <Progress
          value={at.done / Math.max(1, at.of)}
          label={sharing.saveShared}
        />
      )}
      {said !== undefined && <p role="status">{said}</p>}
      <div class="actions start">
        {said === undefined
          ? (
            <Button
              kind="main"
              icon="download"
              busy={at !== undefined}
              onClick={save}
            >
              {sharing.saveSharedAll}
            </Button>
          )
          : (
            <a class="button main" href={href("photos")}>
              {messages.value.photos.title}
            </a>
          )}
      </div>
    </div>
  );
}
