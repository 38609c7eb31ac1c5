/**
 * The help on keys.
 *
 * @module
 */
import { Dialog } from "../parts/dialog.tsx";
import { words } from "../words.ts";

/** The dialog that `?` opens. */
export function KeysHelp({ close }: { readonly close: () => void }) {
  const { grid } = words.value;
  return (
    <Dialog title={grid.keysTitle} onClose={close}>
      <dl class="keys">
        {grid.keys.map(([keys = "", what]) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
