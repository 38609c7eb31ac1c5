/**
 * The people in the photos, and one of them.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type {
  PeoplePage,
  PersonCard,
} from "../../../workers/finding/face_calls.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Empty, Notice, Spinner } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { href, route } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { useTitle } from "../../title.ts";
import { messages } from "../../messages.ts";
import { howFarText } from "../findings/how_far.ts";
import { FacesControls, TurnOnFaces } from "./choice.tsx";
import { Face } from "./face.tsx";
import { looking } from "./looking.ts";
import { PersonView } from "./person.tsx";

/** The views at `#/person` and `#/person/<group>`. */
export function People() {
  const id = route.value.path[1];
  return id === undefined ? <All /> : <PersonView key={id} id={id} />;
}

function All() {
  const { faces, shell } = messages.value;
  const { value, error } = useLoaded(
    () => vault().faces.people(),
    [revision.value],
  );
  useTitle(faces.title);
  const isOn = value?.isOn === true;
  useEffect(() => {
    if (isOn) looking.start();
  }, [isOn]);
  const all = value?.people ?? [];
  const shown = all.filter(({ hidden }) => !hidden);
  const known = shown.filter(({ name, count }) =>
    name !== undefined || count > 1
  );
  const once = shown.filter((one) => !known.includes(one));
  const hidden = all.filter((one) => one.hidden);
  return (
    <div class="view" aria-busy={value === undefined}>
      <a class="back" href={href("albums")}>
        <Icon name="back" /> {shell.albums}
      </a>
      <header class="view-head">
        <h1>{faces.title}</h1>
      </header>
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {value !== undefined && !isOn && <TurnOnFaces />}
      {value !== undefined && isOn && (
        <>
          <Progress page={value} />
          {all.length === 0 && (
            <Empty icon="people" title={faces.nobody}>
              {value.left > 0 && !looking.isHere.value
                ? (
                  <>
                    <p class="quiet measure">{faces.nobodyLooks}</p>
                    <Button kind="main" onClick={() => looking.choose(true)}>
                      {faces.lookHere}
                    </Button>
                  </>
                )
                : <p class="quiet measure">{faces.nobodyHint}</p>}
            </Empty>
          )}
          <Tiles people={known} />
          <Others title={faces.once({ n: once.length })} people={once} />
          <Others
            title={faces.hiddenPeople({ n: hidden.length })}
            people={hidden}
          />
          <section class="group faces-controls">
            <h2>{faces.settings}</h2>
            <FacesControls />
          </section>
        </>
      )}
    </div>
  );
}

/** How many photos are still to be looked at, and whether that is done. */
function Progress({ page }: { readonly page: PeoplePage }) {
  return (
    <p class="quiet faces-progress" role="status">
      {looking.isBusy.value && page.left > 0 && <Spinner />}{" "}
      {howFarText(messages.value.faces, page, {
        isHere: looking.isHere.value,
        fault: looking.fault.value,
      })}
    </p>
  );
}

function Tiles({ people }: { readonly people: readonly PersonCard[] }) {
  if (people.length === 0) return null;
  return (
    <ul class="people">
      {people.map((one) => <Tile key={one.id} person={one} />)}
    </ul>
  );
}

function Tile({ person }: { readonly person: PersonCard }) {
  const { albums, faces } = messages.value;
  const { id, name, count, noun, face } = person;
  return (
    <li>
      <a class="person" href={href("person", id)}>
        <Face face={face} />
        {name === undefined
          ? <span class="quiet">{faces.unnamed}</span>
          : <strong>{name}</strong>}
        <span class="quiet small">{albums.photos({ n: count, noun })}</span>
      </a>
    </li>
  );
}

/** People who are not among those that are seen at once. */
function Others(
  { title, people }: {
    readonly title: string;
    readonly people: readonly PersonCard[];
  },
) {
  if (people.length === 0) return null;
  return (
    <details class="options faces-others">
      <summary>
        <Icon name="right" />
        {title}
      </summary>
      <Tiles people={people} />
    </details>
  );
}
