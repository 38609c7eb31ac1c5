/**
 * The panel in a corner that shows the progress of a download.
 *
 * @module
 */
import { Button, IconButton, Notice, Progress } from "../parts/controls.tsx";
import { messages, sizeText } from "../messages.ts";
import { saving } from "./state.ts";

/** The panel; empty if nothing is being saved. */
export function Savings() {
  const held = saving.value;
  if (held === undefined) return null;
  const { saving: said, common } = messages.value;
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
      {parts > 1 && (
        <p class="quiet small">{said.part({ at: part, of: parts })}</p>
      )}
      {!isOver && save === undefined && (
        <>
          <Progress
            value={Math.min(1, done / Math.max(1, bytes))}
            label={name}
          />
          <p class="quiet small">
            {files !== undefined &&
              `${said.files({ done: files.done, of: files.of })} · `}
            {said.bytes({
              done: sizeText(Math.min(done, bytes)),
              of: sizeText(bytes),
            })}
          </p>
          {files !== undefined && <p class="quiet small">{said.begun}</p>}
        </>
      )}
      {save !== undefined && !isOver && (
        <>
          <p class="small">{said.partsWhy}</p>
          <Button kind="main" icon="download" onClick={save}>
            {said.savePart({ at: part, of: parts })}
          </Button>
        </>
      )}
      <div role="status">
        {files !== undefined && held.isOver === true && (
          <p class="small">
            {said.exported({ files: files.done, size: sizeText(done) })}
          </p>
        )}
      </div>
      {fault !== undefined && <Notice>{fault}</Notice>}
      {unread.length > 0 && (
        <Notice kind="warn">
          {said.unread({ n: unread.length })}
          <ul>{unread.slice(0, 5).map((one) => <li key={one}>{one}</li>)}</ul>
        </Notice>
      )}
      {left > 0 && <Notice kind="warn">{said.left({ n: left })}</Notice>}
    </section>
  );
}
