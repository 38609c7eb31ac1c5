/**
 * All albums and private collections.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import {
  ALBUM_ORDERS,
  type AlbumOrder,
  inAlbumOrder,
  inFolder,
  partsOfTitle,
} from "../../../library/albums/album_order.ts";
import { faultText } from "../faults.ts";
import { listHref } from "../list.ts";
import { useLoaded } from "../loaded.ts";
import { Choice } from "../parts/choices.tsx";
import { Button, Empty, Notice } from "../parts/controls.tsx";
import { Cover } from "../parts/cover.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { lazily } from "../parts/lazy.tsx";
import { toast } from "../parts/toasts.tsx";
import { href, route } from "../routes.ts";
import { revision, vault } from "../vault.ts";
import type {
  AlbumCard,
  AlbumsOverview,
} from "../../workers/library/albums/album_cards.ts";
import { messages } from "../messages.ts";
import { cardText } from "./albums/card_text.ts";
import {
  type Handling,
  moveByKey,
  MoveMenu,
  MOVING_KEYS,
  useDragging,
  useHandOrder,
} from "./albums/by_hand.tsx";
import { Crumbs } from "./albums/crumbs.tsx";
import { newList } from "./albums/naming.tsx";
import { Invitations } from "./albums/invitation_cards.tsx";
import { whereWhenText } from "./where_text.ts";

const AlbumsAbroad = lazily(
  async () => (await import("../abroad/section.tsx")).AlbumsAbroad,
  { quiet: true },
);

/** The view at `#/albums`, and that of a folder at `#/albums/<folder>`. */
export function Albums() {
  const { albums } = messages.value;
  const path = route.value.path.slice(1);
  const { value, error } = useLoaded(
    () => vault().albums.overview(),
    [revision.value],
  );
  const all = value?.albums ?? [];
  const folders = foldersOf(value, path);
  const own = inFolder(all.filter((one) => one.own), path).direct;
  const shared = inFolder(all.filter((one) => !one.own), path).direct;
  const collections = inFolder(value?.collections ?? [], path).direct;
  const count = all.length + (value?.collections.length ?? 0);
  const nothing = value !== undefined && count === 0;
  const isOutermost = path.length === 0;
  const isGone = value !== undefined && !isOutermost &&
    folders.length + own.length + shared.length + collections.length === 0;
  const making = (
    <div class="actions">
      <Button kind="main" icon="add" onClick={newList}>
        {albums.newAlbum}
      </Button>
    </div>
  );
  return (
    <div class="view" aria-busy={value === undefined}>
      {!isOutermost && <Crumbs path={path.slice(0, -1)} />}
      <header class="view-head">
        <h1>{path.at(-1) ?? albums.title}</h1>
        {!nothing && isOutermost && making}
      </header>
      {isOutermost && (
        <>
          <Invitations />
          <Kept />
        </>
      )}
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {nothing && isOutermost && (
        <Empty icon="albums" title={albums.empty}>
          <p class="quiet measure">{albums.emptyHint}</p>
          {making}
        </Empty>
      )}
      {isGone && (
        <Empty icon="folder" title={albums.emptyFolder}>
          <a class="button" href={href("albums")}>{albums.title}</a>
        </Empty>
      )}
      {value !== undefined && count > 1 && <Order order={value.order} />}
      {folders.length > 0 && (
        <section class="album-section">
          <h2>{albums.folders}</h2>
          <ul class="cards">
            {folders.map(({ name, all, cover }) => (
              <Card
                key={name}
                to={href("albums", ...path, name)}
                cover={cover}
                title={name}
                taken=""
                says={albums.inFolder({ n: all.length })}
                isFolder
              />
            ))}
          </ul>
        </section>
      )}
      <AlbumSection title={albums.own} items={own} overview={value}>
        {albumCard}
      </AlbumSection>
      <AlbumSection title={albums.shared} items={shared} overview={value}>
        {albumCard}
      </AlbumSection>
      <AlbumSection
        title={albums.collections}
        items={collections}
        overview={value}
      >
        {(one, handling) => (
          <Card
            key={one.id}
            to={href("collection", one.id)}
            cover={one.cover}
            title={nameOf(one.title)}
            favourite={one.favourite}
            taken={whereWhenText(one.taken)}
            says={albums.photos({ n: one.count, noun: one.noun })}
            handling={handling}
          />
        )}
      </AlbumSection>
      {isOutermost && <AlbumsAbroad />}
    </div>
  );
}

/** The folders in a folder, with the cover of their first album. */
function foldersOf(
  overview: AlbumsOverview | undefined,
  path: readonly string[],
) {
  const { albums = [], collections = [] } = overview ?? {};
  // Those of people and those of the person alone, in the chosen order.
  const all = inAlbumOrder(
    [...albums, ...collections],
    overview?.order ?? "changed",
  );
  return inFolder(all, path).folders.map((folder) => ({
    ...folder,
    cover: folder.all.find(({ cover }) => cover !== undefined)?.cover,
  }));
}

/** The name of an album in its folder. */
function nameOf(title: string): string {
  return partsOfTitle(title).at(-1) ?? title;
}

/** Chooses the order of all albums. */
function Order({ order }: { readonly order: AlbumOrder }) {
  const { albums } = messages.value;
  return (
    <div class="album-order">
      <Choice
        label={albums.sortBy}
        value={order}
        options={ALBUM_ORDERS.map((one) => [one, albums.orders[one]])}
        onChoose={(next) =>
          vault().albums.sortBy(next).catch((error) => toast(faultText(error)))}
      />
      {order === "hand" && <p class="quiet small">{albums.moving.hint}</p>}
    </div>
  );
}

/** The lists that every account has, but the trash: the navigation has it. */
function Kept() {
  const { albums, faces, photos, remarks, search, shell, similar } =
    messages.value;
  const { value: fresh = 0 } = useLoaded(
    () => vault().remarks.fresh(),
    [revision.value],
  );
  const videos = listHref({ kind: "search", q: photos.videosWord });
  const lists: readonly [IconName, string, string][] = [
    [
      "comment",
      fresh === 0 ? remarks.news : remarks.newsCount({ n: fresh }),
      href("new"),
    ],
    ["added", remarks.recent, href("recent")],
    ["favourite", photos.favourites, href("favourites")],
    ["film", search.videos, videos],
    ["people", faces.title, href("person")],
    ["place", shell.map, href("map")],
    ["similar", similar.title, href("similar")],
    ["archive", albums.archiveTitle, href("archive")],
    ["hide", photos.hidden, href("hidden")],
  ];
  return (
    <nav class="album-lists" aria-label={albums.lists}>
      {lists.map(([icon, label, to]) => (
        <a class="button" key={to} href={to}>
          <Icon name={icon} /> {label}
        </a>
      ))}
    </nav>
  );
}

/** Albums of one kind, which can be moved if they are sorted by hand. */
function AlbumSection<
  T extends { readonly id: string; readonly title: string },
>(
  { title, items, overview, children }: {
    readonly title: string;
    readonly items: readonly T[];
    readonly overview: AlbumsOverview | undefined;
    readonly children: (item: T, handling?: Handling) => ComponentChildren;
  },
) {
  const { ids, move, last, ...order } = useHandOrder(items, overview);
  if (items.length === 0) return null;
  const isByHand = overview?.order === "hand";
  const moved = order.items.find(({ id }) => id === last);
  return (
    <section class="album-section">
      <h2>{title}</h2>
      <ul class="cards">
        {order.items.map((one) =>
          children(one, isByHand ? { id: one.id, ids, move } : undefined)
        )}
      </ul>
      {isByHand && (
        <p class="unseen" role="status">
          {moved !== undefined && messages.value.albums.moving.now({
            title: nameOf(moved.title),
            at: ids.indexOf(moved.id) + 1,
            n: ids.length,
          })}
        </p>
      )}
    </section>
  );
}

function albumCard(album: AlbumCard, handling?: Handling) {
  const { id, title, cover, favourite } = album;
  return (
    <Card
      key={id}
      to={href("album", id)}
      cover={cover}
      title={title === "" ? messages.value.albums.untitled : nameOf(title)}
      favourite={favourite}
      taken={whereWhenText(album.taken)}
      says={cardText(album)}
      handling={handling}
    />
  );
}

function Card(
  {
    to,
    cover,
    title,
    favourite = false,
    taken,
    says,
    isFolder = false,
    handling,
  }: {
    readonly to: string;
    readonly cover: string | undefined;
    readonly title: string;
    readonly favourite?: boolean;
    /** Where and when, if that is known. */
    readonly taken: string;
    readonly says: string;
    readonly isFolder?: boolean;
    /** If it can be moved. */
    readonly handling?: Handling | undefined;
  },
) {
  const { side, card, link } = useDragging(handling);
  return (
    <li class={side === undefined ? "" : `drop-${side}`} {...card}>
      <a
        class={isFolder ? "card-link folder" : "card-link"}
        href={to}
        {...link}
        {...(handling === undefined ? {} : {
          "aria-keyshortcuts": MOVING_KEYS,
          onKeyDown: (event: KeyboardEvent) => moveByKey(handling, event),
        })}
      >
        <Cover id={cover} />
        {favourite && (
          <span class="card-favourite">
            <Icon name="favourite" size={18} />
            <span class="unseen">{messages.value.albums.isFavourite}</span>
          </span>
        )}
        <span class="card-title">
          {isFolder && <Icon name="folder" size={16} />} {title}
        </span>
        {taken !== "" && <span class="quiet small">{taken}</span>}
        <span class="quiet small">{says}</span>
      </a>
      {handling !== undefined && <MoveMenu handling={handling} title={title} />}
    </li>
  );
}
