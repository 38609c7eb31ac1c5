/**
 * Creating an album or a collection, and renaming it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Radios } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { go, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** The kind of list to name. */
export type ListKind = "album" | "collection";

interface Naming {
  readonly heading: string;
  /** What it is; asked for where it is not given. */
  readonly kind?: ListKind;
  readonly title?: string;
  readonly description?: string;
  readonly action: string;
  /** Resolves to false where nothing was done and the dialog goes. */
  readonly act: (
    title: string,
    description: string,
    kind: ListKind,
  ) => Promise<void>;
}

/** Asks what a new list is to be, makes it, and goes there. */
export function newList(): void {
  const { albums } = messages.value;
  naming({
    heading: albums.newAlbum,
    action: albums.create,
    act: async (title, description, kind) => {
      const id = kind === "album"
        ? await vault().albums.create(title, description)
        : await vault().collections.create(title);
      go(href(kind, id));
    },
  });
}

/** Whom a new list is for, in words that need no others. */
export function ForWhom(
  { kind, onChoose }: {
    readonly kind: ListKind;
    readonly onChoose: (kind: ListKind) => void;
  },
) {
  const { albums } = messages.value;
  return (
    <Radios
      label={albums.forWhom}
      value={kind}
      options={[
        ["collection", albums.forMe, albums.collectionHint],
        ["album", albums.forOthers, albums.albumHint],
      ]}
      onChoose={onChoose}
    />
  );
}

/** Asks for a name, with what is there already. */
export function naming(asked: Naming): void {
  overlay((close) => <NamingDialog {...asked} onClose={close} />);
}

function NamingDialog(
  { heading, action, act, onClose, ...given }: Naming & {
    readonly onClose: () => void;
  },
) {
  const { albums, common } = messages.value;
  const [kind, setKind] = useState<ListKind>(given.kind ?? "collection");
  const [title, setTitle] = useState(given.title ?? "");
  const [description, setDescription] = useState(given.description ?? "");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await act(title.trim(), description.trim(), kind);
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={heading} onClose={onClose}>
      <Form onSubmit={submit}>
        <Field
          label={albums.name}
          value={title}
          required
          autofocus
          maxLength={200}
          hint={albums.folderHint}
          onInput={setTitle}
        />
        {given.kind === undefined && <ForWhom kind={kind} onChoose={setKind} />}
        {kind === "album" && (
          <Field
            label={albums.describe}
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
      </Form>
    </Dialog>
  );
}
