/**
 * The question whether files shared by another app should be added.
 *
 * @module
 */
import { add } from "./adding.tsx";
import { Button } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { overlay } from "../parts/overlays.tsx";
import { messages, sizeText } from "../messages.ts";

/** Most names that are listed; the other files are counted. */
const MOST_NAMED = 5;

/** Asks the person. */
export function askToAdd(files: readonly File[]): void {
  overlay((close) => <SharedFiles files={files} close={close} />);
}

function SharedFiles({ files, close }: {
  readonly files: readonly File[];
  readonly close: () => void;
}) {
  const { shared, common } = messages.value;
  return (
    <Dialog
      title={shared.title({ n: files.length })}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button
            kind="main"
            onClick={() => {
              close();
              add(files.map((file) => ({ file, folder: "" })));
            }}
          >
            {shared.add}
          </Button>
        </>
      }
    >
      <p>{shared.why}</p>
      <ul>
        {files.slice(0, MOST_NAMED).map(({ name, size }, n) => (
          <li key={n}>
            {name} <span class="quiet">{sizeText(size)}</span>
          </li>
        ))}
      </ul>
      {files.length > MOST_NAMED && (
        <p class="quiet">{shared.more({ n: files.length - MOST_NAMED })}</p>
      )}
    </Dialog>
  );
}
