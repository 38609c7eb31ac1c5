/**
 * Below a search that found nothing: what this account can still turn on for it,
 * and what its devices have not looked at yet.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { messages } from "../../messages.ts";
import { Icon } from "../../parts/icon.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { FacesControls, TurnOnFaces } from "../people/choice.tsx";
import { looking } from "../people/looking.ts";
import { Choice, ofThings, ofWords, useStatus } from "./choice.tsx";
import { howFarText } from "./how_far.ts";

interface Looking {
  readonly isOn: boolean;
  readonly left: number;
}

/** People, things and words; each as long as it may find more. */
export function SearchMore() {
  const { faces, search } = messages.value;
  const { value: people } = useLoaded(
    () => vault().faces.people(),
    [revision.value],
  );
  const isOn = people?.isOn === true;
  useEffect(() => {
    if (isOn) looking.start();
  }, [isOn]);
  const kinds = [ofThings(), ofWords()].map((kind) => ({
    kind,
    status: useStatus(kind),
  }));
  const all: readonly (Looking | undefined)[] = [
    people,
    ...kinds.map(({ status }) => status),
  ];
  if (!all.some(mayFindMore)) return null;
  return (
    <section class="search-more">
      <p class="quiet">{search.more}</p>
      {people !== undefined && mayFindMore(people) && (
        <More title={faces.title} isOn={isOn}>
          {isOn
            ? (
              <>
                <p class="quiet" role="status">
                  {howFarText(faces, people, {
                    isHere: looking.isHere.value,
                    fault: looking.fault.value,
                  })} <a href={href("person")}>{faces.title}</a>
                </p>
                <FacesControls />
              </>
            )
            : <TurnOnFaces />}
        </More>
      )}
      {kinds.map(({ kind, status }) =>
        status !== undefined && mayFindMore(status) && (
          <More
            key={kind.texts.title}
            title={kind.texts.title}
            isOn={status.isOn}
          >
            <Choice kind={kind} status={status} />
          </More>
        )
      )}
    </section>
  );
}

function mayFindMore(looking: Looking | undefined): boolean {
  return looking !== undefined && (!looking.isOn || looking.left > 0);
}

/** What is on is open: it says how far it is. */
function More(
  { title, isOn, children }: {
    readonly title: string;
    readonly isOn: boolean;
    readonly children: ComponentChildren;
  },
) {
  return (
    <details class="options" open={isOn}>
      <summary>
        <Icon name="right" />
        {title}
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}
