/**
 * Creating an album or a collection, and renaming it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Radios } from "../../parts/choices.tsx";
import { Field } from "../../parts/form.tsx";
import { NameDialog } from "../../parts/naming.tsx";
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
  /** Does it; the dialog shows what it throws. */
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
  const { albums } = messages.value;
  const [kind, setKind] = useState<ListKind>(given.kind ?? "collection");
  const [description, setDescription] = useState(given.description ?? "");
  return (
    <NameDialog
      title={heading}
      label={albums.name}
      hint={albums.folderHint}
      most={200}
      name={given.title}
      action={action}
      more={
        <>
          {given.kind === undefined && (
            <ForWhom kind={kind} onChoose={setKind} />
          )}
          {kind === "album" && (
            <Field
              label={albums.describe}
              value={description}
              maxLength={2_000}
              onInput={setDescription}
            />
          )}
        </>
      }
      act={(title) => act(title, description.trim(), kind)}
      onClose={onClose}
    />
  );
}
