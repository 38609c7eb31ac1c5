/**
 * The settings page `import`: photos from another service, of the zips or the
 * folder that it exported.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import type {
  SeenFile,
  Sighting,
} from "../../workers/library/exports/calls.ts";
import { faultText } from "../faults.ts";
import { useLoaded } from "../loaded.ts";
import { messages, numberText, sizeText } from "../messages.ts";
import { Choice } from "../parts/choices.tsx";
import { Button, Notice, Progress, Spinner } from "../parts/controls.tsx";
import { href } from "../routes.ts";
import { saveBlob } from "../saving.ts";
import { chosenFiles } from "../upload/collecting.ts";
import { askToCancel } from "../upload/panel.tsx";
import { queue } from "../upload/workers.ts";
import { vault } from "../vault.ts";
import { Fold } from "../screens/safety/fold.tsx";
import { Group, Line } from "../screens/settings/parts.tsx";
import {
  became,
  checked,
  counts,
  lookAs,
  lookAt,
  start,
  startOver,
  step,
  told,
} from "./importing.ts";
import { namesOf } from "./names.ts";
import { reportOf, type Section } from "./report.ts";

/** No more of a list is drawn; all of it is in the file that can be saved. */
const MOST_SHOWN = 100;

/** The page `import`. */
export function ImportPage() {
  const at = step.value;
  switch (at.is) {
    case "choosing":
      return <Choosing fault={at.fault} />;
    case "looking":
      return <Looking done={at.looked?.done} total={at.looked?.total} />;
    case "seen":
      return <Seen sighting={at.sighting} />;
    case "running":
      return <Running />;
    case "done":
      return <Done sighting={at.sighting} />;
  }
}

/** The way in: what to choose, and where one gets it. */
function Choosing({ fault }: { readonly fault: unknown }) {
  const { imports, upload } = messages.value;
  const zips = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const begun = useLoaded(() => vault().imports.begun(), []);
  useEffect(() => {
    // The types lack this attribute.
    folder.current?.setAttribute("webkitdirectory", "");
  }, []);
  const taken = (event: { readonly currentTarget: HTMLInputElement }) => {
    const input = event.currentTarget;
    const found = chosenFiles(input.files, { withLitter: true });
    // Reset, so that the same files can be chosen again.
    input.value = "";
    lookAt(found);
  };
  const field = {
    class: "unseen",
    type: "file",
    multiple: true,
    tabIndex: -1,
  } as const;
  return (
    <div class="import stack">
      {begun.value !== undefined && (
        <Notice kind="warn">
          <p>
            <strong>
              {imports.begun({ names: namesOf(begun.value) })}
            </strong>{" "}
            {imports.begunHint}
          </p>
          <Button
            kind="quiet"
            onClick={() => vault().imports.end().finally(begun.again)}
          >
            {upload.forget}
          </Button>
        </Notice>
      )}
      {fault !== undefined && <Notice>{faultText(fault)}</Notice>}
      <p>{imports.intro}</p>
      <input
        {...field}
        ref={zips}
        aria-hidden="true"
        data-import="zips"
        onChange={taken}
      />
      <input
        {...field}
        ref={folder}
        aria-hidden="true"
        data-import="folder"
        onChange={taken}
      />
      <div class="actions start">
        <Button kind="main" icon="inbox" onClick={() => zips.current?.click()}>
          {imports.chooseZips}
        </Button>
        <Button icon="folder" onClick={() => folder.current?.click()}>
          {imports.chooseFolder}
        </Button>
      </div>
      <p class="quiet">{imports.together}</p>
      <Group title={imports.where}>
        <ul class="bullets">
          <li>{imports.whereGoogle}</li>
          <li>{imports.whereApple}</li>
          <li>{imports.whereImmich}</li>
          <li>{imports.whereOthers}</li>
        </ul>
      </Group>
    </div>
  );
}

function Looking(
  { done, total = 0 }: {
    readonly done: number | undefined;
    readonly total: number | undefined;
  },
) {
  const { imports, common } = messages.value;
  return (
    <div class="import stack" aria-busy="true">
      <p role="status">
        <Spinner /> {imports.looking}
      </p>
      {done !== undefined && total > 0 && (
        <Progress value={done / total} label={imports.looking} />
      )}
      <div class="actions start">
        <Button onClick={() => startOver()}>{common.cancel}</Button>
      </div>
    </div>
  );
}

/** What was found, before anything is imported. */
function Seen({ sighting }: { readonly sighting: Sighting }) {
  const { imports } = messages.value;
  const { kind, items, albums, unused } = sighting;
  const all = items.flatMap((one): SeenFile[] =>
    one.video === undefined ? [one] : [one, one.video]
  );
  const count = (is: (one: SeenFile) => unknown) => all.filter(is).length;
  const isOf = (type: string) => ({ mime }: SeenFile) => mime.startsWith(type);
  const [photos, videos] = [count(isOf("image/")), count(isOf("video/"))];
  // A part that is missing is more than a file that fits to nothing.
  const damaged = sighting.left.filter(({ why }) => why === "damagedZip");
  const used = new Set(items.flatMap((one) => one.albums));
  const rows: readonly (readonly [name: string, n: number])[] = [
    [imports.photos, photos],
    [imports.videos, videos],
    [imports.files, all.length - photos - videos],
    [imports.live, count(({ video }) => video !== undefined)],
    [imports.albums, albums.filter((_, at) => used.has(at)).length],
    [imports.dates, count(({ facts }) => facts?.takenAt !== undefined)],
    [imports.places, count(({ facts }) => facts?.place !== undefined)],
    [imports.captions, count(({ facts }) => facts?.caption !== undefined)],
    [imports.favourites, count(({ facts }) => facts?.favourite)],
    [imports.archived, count(({ facts }) => facts?.archived)],
    [imports.hidden, count(({ facts }) => facts?.hidden)],
  ];
  const size = all.reduce((sum, one) => sum + one.size, 0);
  const names = Object.entries(imports.kinds);
  return (
    <div class="import stack">
      {damaged.length > 0 && (
        <Notice kind="warn">
          {damaged.map(({ shown, why }) => (
            <p key={shown}>
              {imports.line({ path: shown, why: imports.whys[why] })}
            </p>
          ))}
        </Notice>
      )}
      <Choice
        label={imports.kind}
        value={kind}
        options={names.map(([name, label]) => [name, label] as const)}
        onChoose={(chosen) => lookAs(kindNamed(chosen))}
        hint={imports.kindHint}
      />
      {all.length === 0
        ? <Notice kind="warn">{imports.nothing}</Notice>
        : (
          <Group title={imports.found}>
            {rows.filter(([, n]) => n > 0).map(([name, n]) => (
              <Line key={name} name={name}>
                <span class="import-count">{numberText(n)}</span>
              </Line>
            ))}
            <Line name={imports.size}>
              <span class="import-count">{sizeText(size)}</span>
            </Line>
            <Here />
          </Group>
        )}
      <Lists
        sections={reportOf({
          left: sighting.left.filter((one) => !damaged.includes(one)),
          unused,
          untold: sighting.tellsOfAll
            ? items.filter(({ facts }) => facts === undefined)
            : [],
        })}
      />
      {albums.length > 0 && <p class="quiet">{imports.albumsWhy}</p>}
      <div class="actions start">
        {all.length > 0 && (
          <Button kind="main" icon="upload" onClick={start}>
            {imports.begin({ n: all.length })}
          </Button>
        )}
        <Button onClick={() => startOver()}>{imports.others}</Button>
      </div>
    </div>
  );
}

/** The name is one of those that were offered. */
function kindNamed(name: string): Sighting["kind"] {
  switch (name) {
    case "takeout":
    case "apple":
    case "immich":
    case "ente":
      return name;
    default:
      return "other";
  }
}

/** How much of it the library has already, as far as that is known. */
function Here() {
  const { imports } = messages.value;
  const here = checked.value;
  if (here === undefined || here.total === 0) return null;
  const isDone = here.done === here.total;
  return (
    <Line
      name={imports.here}
      value={isDone
        ? imports.hereHint
        : imports.checking({ done: here.done, total: here.total })}
    >
      <span class="import-count" role="status">
        {!isDone && <Spinner />} {numberText(here.known)}
      </span>
    </Line>
  );
}

function Running() {
  const { imports, upload } = messages.value;
  became.value;
  const { waiting, ...ended } = counts();
  const done = Object.values(ended).reduce((sum, n) => sum + n, 0);
  const halt = queue.halt.value;
  return (
    <div class="import stack">
      <p role="status">
        <strong>{upload.adding({ done, total: done + waiting })}</strong>
      </p>
      <Progress
        value={done / Math.max(1, done + waiting)}
        label={imports.title}
      />
      {halt !== undefined && <Notice kind="warn">{upload.halts[halt]}</Notice>}
      <p class="quiet">{imports.keepOpen}</p>
      <div class="actions start">
        {halt === undefined
          ? (
            <Button icon="pause" onClick={() => queue.pause()}>
              {upload.pause}
            </Button>
          )
          : (
            <Button icon="play" onClick={() => queue.resume()}>
              {upload.resume}
            </Button>
          )}
        <Button onClick={askToCancel}>{upload.cancelAll}</Button>
      </div>
    </div>
  );
}

function Done({ sighting }: { readonly sighting: Sighting }) {
  const { imports, shell } = messages.value;
  became.value;
  const sums = counts();
  const sections = reportOf({
    left: sighting.left,
    unused: sighting.unused,
    hasEnded: true,
    tellsOfAll: sighting.tellsOfAll,
  });
  const kept = sums.kept + sums.handed;
  return (
    <div class="import stack">
      <Notice kind={sums.failed + sums.stopped > 0 ? "warn" : "good"}>
        <strong>{imports.kept({ n: kept })}</strong>
        {sums.known > 0 && <p>{imports.known({ n: sums.known })}</p>}
        {told.value.size > 0 && <p>{imports.told({ n: told.value.size })}</p>}
        {sums.failed > 0 && <p>{imports.failed({ n: sums.failed })}</p>}
        {sums.stopped > 0 && <p>{imports.stopped({ n: sums.stopped })}</p>}
      </Notice>
      <Lists sections={sections} />
      <div class="actions start">
        {sections.length > 0 && (
          <Button
            icon="download"
            onClick={() => save(sections)}
          >
            {imports.save}
          </Button>
        )}
        <Button onClick={() => startOver()}>{imports.more}</Button>
        <a class="button" href={href("albums")}>{shell.albums}</a>
        <a class="button" href={href("photos")}>{shell.photos}</a>
      </div>
    </div>
  );
}

function save(sections: readonly Section[]): void {
  const text = sections.map(({ title, lines }) =>
    [title, ...lines.map((line) => `  ${line}`)].join("\n")
  ).join("\n\n");
  const blob = new Blob([`${text}\n`], { type: "text/plain" });
  saveBlob(blob, messages.value.imports.fileName);
}

function Lists({ sections }: { readonly sections: readonly Section[] }) {
  const { upload } = messages.value;
  return (
    <>
      {sections.map(({ title, lines }) => (
        <Fold key={title} title={title}>
          <ul class="import-list" tabIndex={0} aria-label={title}>
            {lines.slice(0, MOST_SHOWN).map((line, at) => (
              <li key={at}>{line}</li>
            ))}
          </ul>
          {lines.length > MOST_SHOWN && (
            <p class="quiet small">
              {upload.andMore({ n: lines.length - MOST_SHOWN })}
            </p>
          )}
        </Fold>
      ))}
    </>
  );
}
