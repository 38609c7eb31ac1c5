/**
 * One person: their photos, their name, and what is wrong about it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type {
  FaceShown,
  PersonPage,
} from "../../../workers/finding/face_calls.ts";
import { faultText } from "../../faults.ts";
import { Grid } from "../../grid/grid.tsx";
import { useList } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { confirmed } from "../../parts/confirm.tsx";
import { Button, Empty, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { askName } from "../../parts/naming.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href } from "../../routes.ts";
import { StartShow } from "../../showing/slideshow/start.tsx";
import { revision, vault } from "../../vault.ts";
import { useTitle } from "../../title.ts";
import { messages } from "../../messages.ts";
import { Face } from "./face.tsx";

const told = (error: unknown) => toast(faultText(error));

/** The view of a person. */
export function PersonView({ id }: { readonly id: string }) {
  const { faces } = messages.value;
  const { value, here, error } = useLoaded(
    () => vault().faces.person(id),
    [id, revision.value],
  );
  const list = useList({ kind: "person", id });
  useTitle(value?.name ?? faces.unnamed);
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (!here || list === undefined) return <div aria-busy="true" />;
  const back = (
    <a class="back" href={href("person")}>
      <Icon name="back" /> {faces.title}
    </a>
  );
  if (value === undefined) {
    return (
      <>
        {back}
        <h1 class="unseen">{faces.title}</h1>
        <Empty icon="people" title={faces.gone} />
      </>
    );
  }
  return (
    <Grid source={{ kind: "person", id }} list={list}>
      <header class="album-head">
        {back}
        <Head person={value} />
      </header>
    </Grid>
  );
}

function Head({ person }: { readonly person: PersonPage }) {
  const { albums, common, faces } = messages.value;
  const { id, name, count, noun, face, hidden, forgotten } = person;
  const change = (what: { hidden?: boolean; forgotten?: boolean }) =>
    vault().faces.change(id, what).catch(told);
  return (
    <>
      <div class="person-head">
        <Face face={face} />
        <div>
          <h1>{name ?? faces.unnamed}</h1>
          <p class="quiet">{albums.photos({ n: count, noun })}</p>
          <div class="quiet small" role="status">
            {forgotten && <p>{faces.isForgotten}</p>}
            {hidden && <p>{faces.isHidden}</p>}
          </div>
        </div>
      </div>
      <div class="actions">
        {name === undefined && (
          <Button
            kind="main"
            icon="edit"
            onClick={() => naming(person)}
          >
            {faces.addName}
          </Button>
        )}
        {count > 1 && <StartShow source={{ kind: "person", id }} />}
        <Menu
          label={common.more}
          button={<Icon name="more" />}
          items={[
            ...(name === undefined ? [] : [
              {
                icon: "edit",
                label: faces.rename,
                act: () => naming(person),
              } as const,
            ]),
            {
              icon: "people",
              label: faces.same,
              act: () =>
                overlay((close) => <Same person={person} onClose={close} />),
            },
            {
              icon: "takeOut",
              label: faces.wrong,
              act: () =>
                overlay((close) => <Wrong person={person} onClose={close} />),
            },
            {
              icon: "calendar",
              label: forgotten ? faces.remember : faces.forget,
              act: () => change({ forgotten: !forgotten }),
            },
            {
              icon: hidden ? "show" : "hide",
              label: hidden ? faces.show : faces.hide,
              act: () => change({ hidden: !hidden }),
            },
          ]}
        />
      </div>
    </>
  );
}

function naming(person: PersonPage): void {
  const { faces } = messages.value;
  askName({
    title: person.name === undefined ? faces.addName : faces.rename,
    label: faces.name,
    hint: faces.nameHint,
    most: 100,
    name: person.name,
    act: async (name) => {
      const other = await vault().faces.name(person.id, name);
      return other === undefined
        ? undefined
        : () => ofSameName(person, name, other);
    },
  });
}

/** Someone else is called so: most often they are the same person. */
async function ofSameName(
  { id }: PersonPage,
  name: string,
  other: string,
): Promise<void> {
  const { faces } = messages.value;
  const isSame = await confirmed({
    title: faces.sameNameTitle({ name }),
    text: faces.sameName({ name }),
    action: faces.samePerson,
    danger: false,
  });
  if (isSame) await mergeInto(id, other);
}

async function mergeInto(id: string, into: string): Promise<void> {
  try {
    await vault().faces.merge(id, into);
    goInstead(href("person", into));
    toast(messages.value.faces.merged);
  } catch (error) {
    told(error);
  }
}

/** Choosing who this is, among the others. */
function Same(
  { person, onClose }: {
    readonly person: PersonPage;
    readonly onClose: () => void;
  },
) {
  const { faces } = messages.value;
  const { value } = useLoaded(() => vault().faces.people(), []);
  const others = value?.people.filter(({ id }) => id !== person.id) ?? [];
  return (
    <Dialog title={faces.sameTitle} onClose={onClose}>
      <p class="quiet">{faces.sameHint}</p>
      {value !== undefined && others.length === 0 && <p>{faces.noOthers}</p>}
      <ul class="people">
        {others.map(({ id, name, face }, at) => (
          <li key={id}>
            <button
              type="button"
              class="person"
              aria-label={name ?? faces.personNumber({ n: at + 1 })}
              onClick={() => {
                onClose();
                // The name stays with the one that has one.
                const [from, into] = name === undefined &&
                    person.name !== undefined
                  ? [id, person.id]
                  : [person.id, id];
                mergeInto(from, into);
              }}
            >
              <Face face={face} />
              <span class={name === undefined ? "quiet" : ""}>
                {name ?? faces.unnamed}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Choosing the faces of others among those of a person. */
function Wrong(
  { person, onClose }: {
    readonly person: PersonPage;
    readonly onClose: () => void;
  },
) {
  const { common, faces } = messages.value;
  const { value = [] } = useLoaded<readonly FaceShown[]>(
    () => vault().faces.facesOf(person.id),
    [],
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    try {
      await vault().faces.exclude([...chosen], person.id);
      onClose();
      toast(faces.removed({ n: chosen.size }));
    } catch (error) {
      setBusy(false);
      told(error);
    }
  };
  const choose = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <Dialog
      title={faces.wrong}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="main"
            busy={busy}
            disabled={chosen.size === 0}
            onClick={act}
          >
            {faces.notThem}
          </Button>
        </>
      }
    >
      <p class="quiet">{faces.wrongHint}</p>
      <ul class="people">
        {value.map((face, at) => (
          <li key={face.id}>
            <button
              type="button"
              class="person"
              aria-pressed={chosen.has(face.id)}
              aria-label={faces.faceNumber({ n: at + 1 })}
              onClick={() => choose(face.id)}
            >
              <Face face={face} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
