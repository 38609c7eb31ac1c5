/**
 * The panel in a corner that shows the progress of a download.
 *
 * @module
 */
import { Button, IconButton, Notice, Progress } from "../parts/controls.tsx";
import { sizeText, words } from "../words.ts";
import { saving } from "./state.ts";

/** The panel; empty if nothing is being saved. */
export function Savings() {
  const held = saving.value;
  if (held === undefined) return null;
  const { saving: said, common } = words.value;
  const { name, done, bytes, part, parts, save, unread, left, fault, files } =
    held;
  const isOver = held.isOver === true || fault !== undefined;
  return (
    <section class="savings" aria-label={said.title}>
      <header>
        <strong class="savings-name">{name}</strong>
        <IconButton
          icon="close"
          size={18}
          label={isOver ? common.close : common.cancel}
          onClick={held.cancel}
        />
      </header>
      {parts > 1 && <p class="quiet small">{said.part(part, parts)}</p>}
      {!isOver && save === undefined && (
        <>
          <Progress
            value={Math.min(1, done / Math.max(1, bytes))}
            label={name}
          />
          <p class="quiet small">
            {files !== undefined && `${said.files(files.done, files.of)} · `}
            {said.bytes(sizeText(Math.min(done, bytes)), sizeText(bytes))}
          </p>
          {files !== undefined && <p class="quiet small">{said.begun}</p>}
        </>
      )}
      {save !== undefined && !isOver && (
        <>
          <p class="small">{said.partsWhy}</p>
          <Button kind="main" icon="download" onClick={save}>
            {said.savePart(part, parts)}
          </Button>
        </>
      )}
      <div role="status">
        {files !== undefined && held.isOver === true && (
          <p class="small">{said.exported(files.done, sizeText(done))}</p>
        )}
      </div>
      {fault !== undefined && <Notice>{fault}</Notice>}
      {unread.length > 0 && (
        <Notice kind="warn">
          {said.unread(unread.length)}
          <ul>{unread.slice(0, 5).map((one) => <li key={one}>{one}</li>)}</ul>
        </Notice>
      )}
      {left > 0 && <Notice kind="warn">{said.left(left)}</Notice>}
    </section>
  );
}
