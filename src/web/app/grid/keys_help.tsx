/**
 * The help on keys.
 *
 * @module
 */
import { Dialog } from "../parts/dialog.tsx";
import { messages } from "../messages.ts";

/** The dialog that `?` opens. */
export function KeysHelp({ close }: { readonly close: () => void }) {
  const { keys: help } = messages.value;
  return (
    <Dialog title={help.title} onClose={close}>
      <dl class="keys">
        {help.rows.map(([keys = "", what]) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
