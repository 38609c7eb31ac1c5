/**
 * An album of another server, at `#/abroad/<album_id>@<server_id>`.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type {
  AbroadCard,
  Standstill,
} from "../../workers/abroad/abroad_cards.ts";
import { HeadedGrid } from "../grid/headed_grid.tsx";
import { useList } from "../list.ts";
import { useLoaded } from "../loaded.ts";
import { messages } from "../messages.ts";
import { confirm } from "../parts/confirm.tsx";
import { Button, Empty, Notice } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { overlay } from "../parts/overlays.tsx";
import { toast } from "../parts/toasts.tsx";
import { goInstead, href, route } from "../routes.ts";
import { Person } from "../screens/albums/person.tsx";
import { StartShow } from "../showing/slideshow/start.tsx";
import { useTitle } from "../title.ts";
import { revision, vault } from "../vault.ts";
import { abroadFaultText, type OfHost, ofHost } from "./fault_text.ts";

/** Nothing but leaving it is left to do, unless its owner can be asked. */
const OVER: ReadonlySet<Standstill> = new Set(["removed", "ended", "revoked"]);
/** Only its owner can put an end to it. */
const ASKS: ReadonlySet<Standstill> = new Set([...OVER, "over", "refused"]);

/** The view. */
export function AlbumAbroad() {
  const id = route.value.path[1] ?? "";
  return <Shown key={id} id={id} />;
}

function Shown({ id }: { readonly id: string }) {
  const { abroad, albums } = messages.value;
  const { value: album, here, error } = useLoaded(
    () => vault().abroad.page(id),
    [id, revision.value],
  );
  const source = { kind: "abroad", id } as const;
  const list = useList(source);
  useEffect(() => {
    // What keeps it from that, its card says.
    vault().abroad.follow(id).catch(() => {});
  }, [id]);
  useTitle(album?.title ?? "");
  if (error !== undefined) return <Notice>{abroadFaultText(error)}</Notice>;
  if (!here) return <div aria-busy="true" />;
  if (album === undefined) {
    return (
      <Empty icon="albums" title={albums.gone}>
        <p class="quiet">{albums.goneHint}</p>
        <a class="button" href={href("albums")}>{albums.title}</a>
      </Empty>
    );
  }
  return (
    <HeadedGrid
      source={source}
      list={list}
      head={<Head album={album} />}
      empty={album.stopped === undefined && (
        <Empty icon="photos" title={albums.emptyAlbum}>
          <p class="quiet measure">{albums.emptyAlbumViewer}</p>
          <p class="quiet measure">{abroad.on({ host: album.host })}</p>
        </Empty>
      )}
    />
  );
}

function Head({ album }: { readonly album: AbroadCard }) {
  const { abroad, albums, common } = messages.value;
  const { id, host, count, noun, owner, comparedAt, stopped } = album;
  const title = album.title === "" ? albums.untitled : album.title;
  const [isComparedNow, setComparedNow] = useState(false);
  const leave = () =>
    confirm({
      title: albums.leaveTitle({ album: title }),
      text: abroad.leaveText,
      action: albums.leave,
      act: async () => {
        await vault().abroad.leave(id);
        goInstead(href("albums"));
        toast(albums.left({ album: title }));
      },
    });
  const compare = () =>
    overlay((close) => {
      const end = async () => {
        close();
        const after = await vault().abroad.page(id).catch(() => undefined);
        setComparedNow(after?.comparedAt !== undefined);
      };
      return <Person userId={owner} onBack={end} onClose={end} />;
    });
  return (
    <header class="album-head">
      <h1>{title}</h1>
      <div class="album-line">
        <p class="quiet">
          {albums.photos({ n: count, noun })} · {abroad.on({ host })}
        </p>
      </div>
      {stopped !== undefined && (
        <Stopped album={album} stopped={stopped} onLeave={leave} />
      )}
      {album.isSmall && <p class="quiet small">{abroad.seesSmall}</p>}
      {album.isDoubted && <Notice kind="warn">{abroad.noLog({ host })}</Notice>}
      <div class="actions">
        {count > 1 && <StartShow source={{ kind: "abroad", id }} />}
        {comparedAt === undefined && !isComparedNow && (
          <Button icon="safe" onClick={compare}>{abroad.compareNow}</Button>
        )}
        <Menu
          label={common.more}
          button={<Icon name="more" />}
          items={[{
            icon: "safe",
            label: albums.check,
            act: compare,
          }, {
            icon: "signOut",
            label: albums.leave,
            danger: true,
            act: leave,
          }]}
        />
      </div>
      {comparedAt === undefined && !isComparedNow && (
        <p class="quiet small">{abroad.ownerNotCompared}</p>
      )}
    </header>
  );
}

/** Why nothing new comes, in a sentence, and one button. */
function Stopped(
  { album: { id, host, mayAsk }, stopped, onLeave }: {
    readonly album: AbroadCard;
    readonly stopped: Standstill;
    readonly onLeave: () => void;
  },
) {
  const { abroad, albums, common } = messages.value;
  const [busy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const text: OfHost = abroad.stopped[stopped];
  const retry = async () => {
    setBusy(true);
    await vault().abroad.follow(id).catch((error) =>
      toast(abroadFaultText(error))
    );
    setBusy(false);
  };
  const ask = async () => {
    setBusy(true);
    try {
      await vault().abroad.ask(id);
      setAsked(true);
    } catch (error) {
      toast(abroadFaultText(error));
    }
    setBusy(false);
  };
  if (isAsked) {
    return (
      <Notice kind="good">
        <p>{abroad.asked}</p>
      </Notice>
    );
  }
  return (
    <Notice kind="warn">
      <p>
        {ofHost(text, host)}
        {stopped === "not_pinned" && " …"}
      </p>
      <div class="actions start">
        {ASKS.has(stopped) && mayAsk
          ? <Button busy={busy} onClick={ask}>{abroad.ask}</Button>
          : OVER.has(stopped)
          ? <Button onClick={onLeave}>{albums.leave}</Button>
          : <Button busy={busy} onClick={retry}>{common.retry}</Button>}
      </div>
    </Notice>
  );
}
