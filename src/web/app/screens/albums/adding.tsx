/**
 * Putting photos into albums, collections and links: photos chosen from the
 * library, or the selected ones.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { type Noun, PhotoList } from "../../list.ts";
import { nounOf } from "../../../workers/library/photo_lists.ts";
import { Button, Notice, Progress } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Cover } from "../../parts/cover.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { go, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { ForWhom, type ListKind } from "./naming.tsx";
import { pickPhotos } from "./picker.tsx";

/** Photos copied in one call; small, so that progress is visible. */
const AT_ONCE = 12;

/** Lets the person choose photos of the library and puts them into an album. */
export function addPhotos(albumId: string, title: string): void {
  pickPhotos((ids, noun, tell) => intoAlbum(albumId, title, ids, noun, tell));
}

/** Lets the person choose photos and puts them into a collection. */
export function addToCollection(id: string, title: string): void {
  pickPhotos((ids, noun) => intoCollection(id, title, ids, noun));
}

/** Puts photos of others, which are in an album, into the own library. */
export function saveToLibrary(ids: readonly string[], noun: Noun) {
  const { sharing } = messages.value;
  return intoAlbum(undefined, sharing.library, ids, noun, () => {});
}

/** The same for all photos of an album that are not one's own. */
export async function saveAlbum(id: string): Promise<void> {
  const columns = await vault().photos.list({ kind: "album", id });
  if (columns === undefined) return;
  const list = new PhotoList(columns);
  const others = (await vault().photos.infos(list.wholeIds()))
    .filter(({ mine }) => !mine);
  const noun = nounOf(others.map(({ kind }) => kind));
  await saveToLibrary(others.map((one) => one.id), noun);
}

/** Gets the number of photos that are done. */
type TellDone = (done: number) => void;

/** Puts photos into an album, part by part, and shows the outcome. */
async function intoAlbum(
  albumId: string | undefined,
  title: string,
  ids: readonly string[],
  noun: Noun,
  tell: TellDone,
): Promise<void> {
  const { albums } = messages.value;
  const sum = { added: 0, known: 0, failed: 0 };
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    tell(at);
    const part = await vault().albums.add(albumId, ids.slice(at, at + AT_ONCE));
    sum.added += part.added;
    sum.known += part.known;
    sum.failed += part.failed;
  }
  tell(ids.length);
  const said = [
    ...(sum.added > 0 || sum.known + sum.failed === 0
      ? [albums.added({ n: sum.added, album: title, noun })]
      : []),
    ...(sum.known > 0 ? [albums.known({ n: sum.known })] : []),
    ...(sum.failed > 0 ? [albums.failed({ n: sum.failed, noun })] : []),
  ];
  toast(said.join(" · "));
}

async function intoCollection(
  id: string,
  title: string,
  ids: readonly string[],
  noun: Noun,
): Promise<void> {
  await vault().collections.add(id, ids);
  toast(messages.value.albums.added({ n: ids.length, album: title, noun }));
}

/**
 * Asks where selected photos are to go, and puts them there; `after` hears when
 * they are.
 */
export function addSelected(
  ids: readonly string[],
  noun: Noun,
  after: () => void,
): void {
  overlay((close) => (
    <AddTo ids={ids} noun={noun} onClose={close} onDone={after} />
  ));
}

function AddTo(
  { ids, noun, onClose, onDone }: {
    readonly ids: readonly string[];
    readonly noun: Noun;
    readonly onClose: () => void;
    readonly onDone: () => void;
  },
) {
  const { albums, common } = messages.value;
  const { value, error } = useLoaded(() => vault().albums.overview(), []);
  const [making, setMaking] = useState(false);
  const [kind, setKind] = useState<ListKind>("collection");
  const [title, setTitle] = useState("");
  const [done, setDone] = useState<number>();
  const [fault, setFault] = useState<string>();
  const doing = async (act: () => Promise<void>) => {
    setFault(undefined);
    setDone(0);
    try {
      await act();
      onDone();
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setDone(undefined);
    }
  };
  const make = () =>
    doing(async () => {
      const named = title.trim();
      if (kind === "collection") {
        const id = await vault().collections.create(named, ids);
        toast(albums.added({ n: ids.length, album: named, noun }), {
          label: common.show,
          act: () => go(href("collection", id)),
        });
        return;
      }
      const id = await vault().albums.create(named);
      await intoAlbum(id, named, ids, noun, setDone);
      go(href("album", id));
    });
  const mine = value?.albums.filter(({ broken }) => !broken) ?? [];
  return (
    <Dialog
      title={albums.addToTitle({ n: ids.length, noun })}
      onClose={onClose}
    >
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {done !== undefined
        ? (
          <div class="stack" role="status">
            <p>{albums.adding({ done, of: ids.length, noun })}</p>
            <Progress
              value={done / Math.max(1, ids.length)}
              label={albums.adding({ done, of: ids.length, noun })}
            />
          </div>
        )
        : making
        ? (
          <Form onSubmit={make}>
            <Field
              label={albums.name}
              value={title}
              required
              autofocus
              maxLength={200}
              onInput={setTitle}
            />
            <ForWhom kind={kind} onChoose={setKind} />
            <div class="actions">
              <Button onClick={() => setMaking(false)}>
                {common.back}
              </Button>
              <Button kind="main" type="submit">{albums.create}</Button>
            </div>
          </Form>
        )
        : (
          <>
            <div class="actions start">
              <Button icon="add" onClick={() => setMaking(true)}>
                {albums.newAlbum}
              </Button>
            </div>
            <Places
              title={albums.title}
              places={mine}
              onChoose={(one) =>
                doing(() => intoAlbum(one.id, one.title, ids, noun, setDone))}
            />
            <Places
              title={albums.collections}
              places={value?.collections ?? []}
              onChoose={(one) =>
                doing(() => intoCollection(one.id, one.title, ids, noun))}
            />
          </>
        )}
    </Dialog>
  );
}

interface Place {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly noun: Noun;
  readonly cover?: string;
}

function Places<T extends Place>(
  { title, places, onChoose }: {
    readonly title: string;
    readonly places: readonly T[];
    readonly onChoose: (place: T) => void;
  },
) {
  const { albums } = messages.value;
  if (places.length === 0) return null;
  return (
    <section class="stack">
      <h3>{title}</h3>
      <ul class="lines">
        {places.map((one) => (
          <li key={one.id}>
            <button type="button" class="line" onClick={() => onChoose(one)}>
              <Cover id={one.cover} />
              <span class="line-text">
                <span>{one.title === "" ? albums.untitled : one.title}</span>
                <span class="quiet small">
                  {albums.photos({ n: one.count, noun: one.noun })}
                </span>
              </span>
              <Icon name="right" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
