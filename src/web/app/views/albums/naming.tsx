/**
 * Creating an album or a collection, and renaming it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Button, Field, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { go, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { words } from "../../words.ts";

/** The kind of list to name. */
export type ListKind = "album" | "collection";

interface Naming {
  readonly heading: string;
  readonly kind: ListKind;
  readonly title?: string;
  readonly description?: string;
  readonly action: string;
  /** Creates or renames the list; an error keeps the dialog open. */
  readonly act: (title: string, description: string) => Promise<void>;
}

/** Asks for the name of a new list, creates it and opens it. */
export function newList(kind: ListKind): void {
  const { albums } = words.value;
  naming({
    kind,
    heading: kind === "album" ? albums.newAlbum : albums.newCollection,
    action: albums.create,
    act: async (title, description) => {
      const id = kind === "album"
        ? await vault().albums.create(title, description)
        : await vault().collections.create(title);
      go(href(kind, id));
    },
  });
}

/** Asks for a name; the present one is filled in. */
export function naming(asked: Naming): void {
  overlay((close) => <NamingDialog {...asked} onClose={close} />);
}

function NamingDialog(
  { kind, heading, action, act, onClose, ...given }: Naming & {
    readonly onClose: () => void;
  },
) {
  const { albums, common } = words.value;
  const [title, setTitle] = useState(given.title ?? "");
  const [description, setDescription] = useState(given.description ?? "");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await act(title.trim(), description.trim());
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={heading} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label={albums.name}
          value={title}
          required
          autofocus
          maxLength={200}
          hint={kind === "album" ? albums.albumHint : albums.collectionHint}
          onInput={setTitle}
        />
        {kind === "album" && (
          <Field
            label={albums.description}
            value={description}
            maxLength={2_000}
            onInput={setDescription}
          />
        )}
        {fault !== undefined && <Notice>{fault}</Notice>}
        <div class="actions">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>{action}</Button>
        </div>
      </form>
    </Dialog>
  );
}
