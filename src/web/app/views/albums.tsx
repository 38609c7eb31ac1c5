/**
 * All albums and private collections.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { faultText } from "../faults.ts";
import { listHref } from "../list.ts";
import { useLoaded } from "../loaded.ts";
import { Button, Empty, Notice } from "../parts/controls.tsx";
import { Cover } from "../parts/cover.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { href } from "../routes.ts";
import { revision, vault } from "../vault.ts";
import type { AlbumCard } from "../../workers/album_cards.ts";
import { messages } from "../messages.ts";
import { cardText } from "./albums/card_text.ts";
import { newList } from "./albums/naming.tsx";
import { Invitations } from "./albums/news.tsx";
import { whereWhenText } from "./where_text.ts";

/** The view at `#/albums`. */
export function Albums() {
  const { albums } = messages.value;
  const { value, error } = useLoaded(
    () => vault().albums.overview(),
    [revision.value],
  );
  const own = value?.albums.filter((one) => one.own) ?? [];
  const shared = value?.albums.filter((one) => !one.own) ?? [];
  const collections = value?.collections ?? [];
  const nothing = value !== undefined && value.albums.length === 0 &&
    collections.length === 0;
  const making = (
    <div class="actions">
      <Button kind="main" icon="add" onClick={newList}>
        {albums.newAlbum}
      </Button>
    </div>
  );
  return (
    <div class="view" aria-busy={value === undefined}>
      <header class="view-head">
        <h1>{albums.title}</h1>
        {!nothing && making}
      </header>
      <Invitations />
      <Kept />
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {nothing && (
        <Empty icon="albums" title={albums.empty}>
          <p class="quiet measure">{albums.emptyHint}</p>
          {making}
        </Empty>
      )}
      <AlbumSection title={albums.own} count={own.length}>
        {own.map((one) => <AlbumTile key={one.id} album={one} />)}
      </AlbumSection>
      <AlbumSection title={albums.shared} count={shared.length}>
        {shared.map((one) => <AlbumTile key={one.id} album={one} />)}
      </AlbumSection>
      <AlbumSection title={albums.collections} count={collections.length}>
        {collections.map(({ id, title, count, noun, taken, cover }) => (
          <Card
            key={id}
            to={href("collection", id)}
            cover={cover}
            title={title}
            taken={whereWhenText(taken)}
            says={albums.photos({ n: count, noun })}
          />
        ))}
      </AlbumSection>
    </div>
  );
}

/** The lists that every account has. */
function Kept() {
  const { albums, frame, photos, search, trash } = messages.value;
  const videos = listHref({ kind: "search", q: photos.videosWord });
  const lists: readonly [IconName, string, string][] = [
    ["favourite", photos.favourites, href("favourites")],
    ["film", search.videos, videos],
    ["place", frame.map, href("map")],
    ["archive", albums.archiveTitle, href("archive")],
    ["hide", photos.hidden, href("hidden")],
    ["trash", trash.title, href("trash")],
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

function AlbumSection(
  { title, count, children }: {
    readonly title: string;
    readonly count: number;
    readonly children: ComponentChildren;
  },
) {
  if (count === 0) return null;
  return (
    <section class="album-section">
      <h2>{title}</h2>
      <ul class="cards">{children}</ul>
    </section>
  );
}

function AlbumTile({ album }: { readonly album: AlbumCard }) {
  const { id, title, cover } = album;
  return (
    <Card
      to={href("album", id)}
      cover={cover}
      title={title === "" ? messages.value.albums.untitled : title}
      taken={whereWhenText(album.taken)}
      says={cardText(album)}
    />
  );
}

function Card(
  { to, cover, title, taken, says }: {
    readonly to: string;
    readonly cover: string | undefined;
    readonly title: string;
    /** Where and when, if that is known. */
    readonly taken: string;
    readonly says: string;
  },
) {
  return (
    <li>
      <a class="card-link" href={to}>
        <Cover id={cover} />
        <span class="card-title">{title}</span>
        {taken !== "" && <span class="quiet small">{taken}</span>}
        <span class="quiet small">{says}</span>
      </a>
    </li>
  );
}
