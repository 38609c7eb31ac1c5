/**
 * One photo of a grid: a link to it, its small picture and its marks.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { now } from "../../browser.ts";
import type { PhotoList } from "../list.ts";
import { Boundary } from "../parts/boundary.tsx";
import { Icon } from "../parts/icon.tsx";
import { useThumb } from "../thumbs.ts";
import { firstMessages, sizeText } from "../first_messages.ts";
import { DAY_MS, durationText, momentText } from "./days.ts";
import { paintHash, tintOf } from "./hashes.ts";

/** Properties of a tile. */
interface TileOptions {
  readonly list: PhotoList;
  readonly at: number;
  readonly id: string;
  readonly href: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly selected: boolean;
  /** Whether it is the tile that the tab key reaches. */
  readonly reached: boolean;
  /** Its number in its day, from 1, and the number of photos of the day. */
  readonly place: number;
  readonly of: number;
}

/** A photo at the size of the layout; a broken one if it cannot be drawn. */
export function Tile(options: TileOptions) {
  return (
    <Boundary broken={() => <BrokenTile {...options} />}>
      <WholeTile {...options} />
    </Boundary>
  );
}

/** The place of a photo of which nothing can be shown. */
function BrokenTile({ at, id, href, left, top, width, height }: TileOptions) {
  const { grid } = firstMessages.value;
  return (
    <div
      role="listitem"
      class="tile"
      data-at={at}
      style={{
        transform: `translate(${left}px, ${top}px)`,
        width: `${width}px`,
        height: `${height}px`,
      }}
    >
      <a href={href} data-id={id} tabIndex={-1} aria-label={grid.damaged}>
        <span class="no-picture damaged">
          <Icon name="alarm" size={28} />
          <span class="name">{grid.damaged}</span>
        </span>
      </a>
    </div>
  );
}

function WholeTile(
  { list, at, id, href, left, top, width, height, selected, reached, ...day }:
    TileOptions,
) {
  const { grid } = firstMessages.value;
  const label = labelOf(list, at);
  const kind = list.kindAt(at);
  const size = list.sizeAt(at);
  return (
    <div
      role="listitem"
      class={selected ? "tile selected" : "tile"}
      aria-setsize={day.of}
      aria-posinset={day.place}
      data-at={at}
      style={{
        transform: `translate(${left}px, ${top}px)`,
        width: `${width}px`,
        height: `${height}px`,
      }}
    >
      <a
        href={href}
        data-id={id}
        tabIndex={reached ? 0 : -1}
        aria-label={selected ? `${label}, ${grid.isSelected}` : label}
        draggable={false}
      >
        <Picture list={list} at={at} id={id} />
      </a>
      <button
        type="button"
        class="check"
        role="checkbox"
        aria-checked={selected}
        aria-label={grid.select}
        tabIndex={-1}
      />
      {list.behindAt(at) > 0 && (
        <span class="mark top stacked" aria-hidden="true">
          {list.behindAt(at) + 1}
        </span>
      )}
      {kind === "video" && (
        <span class="mark top" aria-hidden="true">
          {list.durationAt(at) > 0 && durationText(list.durationAt(at))}
          <Icon name="film" size={16} />
        </span>
      )}
      {kind === "live" && list.behindAt(at) === 0 && (
        <span class="mark top" aria-hidden="true">
          <Icon name="live" size={16} />
        </span>
      )}
      {kind === "sphere" && list.behindAt(at) === 0 && (
        <span class="mark top" aria-hidden="true">360°</span>
      )}
      {(list.is(at, "favourite") || size !== undefined) && (
        <span class="mark bottom" aria-hidden="true">
          {list.is(at, "favourite") && <Icon name="favourite" size={16} />}
          {size !== undefined && sizeText(size)}
        </span>
      )}
      <Whose name={list.whoseAt(at)} />
      <Ending list={list} at={at} />
    </div>
  );
}

/** The text that a screen reader reads for a photo. */
function labelOf(list: PhotoList, at: number): string {
  const { grid } = firstMessages.value;
  const name = list.columns.names.get(at);
  const size = list.sizeAt(at);
  const behind = list.behindAt(at);
  const whose = list.whoseAt(at);
  const parts = [
    grid.kinds[list.kindAt(at)],
    ...(name === undefined ? [] : [name]),
    ...(whose === undefined || whose === "" ? [] : [whose]),
    momentText(list.takenAt(at)),
    ...(size === undefined ? [] : [sizeText(size)]),
    ...(list.is(at, "favourite") ? [grid.isFavourite] : []),
    ...(list.columns.large.has(at) ? [grid.tooLarge] : []),
    ...(behind === 0 ? [] : [grid.stacked({ n: behind + 1 })]),
  ];
  return parts.join(", ");
}

/** The initials of whoever added a photo of someone else. */
function Whose({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  const initials = name.split(/\s+/).slice(0, 2).map(([first = ""]) => first);
  return (
    <span class="mark whose" aria-hidden="true">
      {initials.join("").toUpperCase() || "?"}
    </span>
  );
}

/** For a photo in the trash: how long it can still be restored. */
function Ending({ list, at }: { list: PhotoList; at: number }) {
  const end = list.endAt(at);
  if (end === undefined) return null;
  const days = Math.max(0, Math.ceil((end - now()) / DAY_MS));
  return (
    <span class="mark bottom told">
      {firstMessages.value.grid.daysLeft({ days })}
    </span>
  );
}

function Picture(
  { list, at, id }: { list: PhotoList; at: number; id: string },
) {
  const name = list.columns.names.get(at);
  const hash = list.hashAt(at);
  const thumb = useThumb(id, name === undefined, hash?.join());
  // What was here at once does not fade in.
  const [late] = useState(thumb.state !== "here");
  const [broken, setBroken] = useState(false);
  if (thumb.state === "here" && !broken) {
    return (
      <img
        class={late ? "thumb late" : "thumb"}
        src={thumb.url}
        alt=""
        decoding="async"
        draggable={false}
        onError={() => setBroken(true)}
      />
    );
  }
  if (name !== undefined || thumb.state === "none" || broken) {
    const kind = list.kindAt(at);
    return (
      <span class="no-picture">
        <Icon name={kind === "video" ? "film" : "file"} size={28} />
        <span class="name">{name}</span>
        {list.columns.large.has(at) && (
          <span class="name why">{firstMessages.value.grid.tooLarge}</span>
        )}
      </span>
    );
  }
  if (thumb.state === "damaged") {
    return (
      <span class="no-picture damaged">
        <Icon name="alarm" size={28} />
        <span class="name">{firstMessages.value.grid.damaged}</span>
      </span>
    );
  }
  return hash === undefined
    ? <span class="coming" />
    : <Blurred key={hash.join()} hash={hash} />;
}

/** The colours of a photo before it is there. */
function Blurred({ hash }: { hash: Uint8Array }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(
    () => canvas.current === null ? undefined : paintHash(canvas.current, hash),
    [],
  );
  return (
    <canvas
      ref={canvas}
      class="coming"
      style={{ backgroundColor: tintOf(hash) }}
    />
  );
}
