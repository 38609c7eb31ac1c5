/**
 * One album: its photos and the people it is shared with.
 *
 * @module
 */
import { partsOfTitle } from "../../../../library/albums/album_order.ts";
import { faultText } from "../../faults.ts";
import { HeadedGrid } from "../../grid/headed_grid.tsx";
import { chooseFiles } from "../../upload/adding.tsx";
import { useList } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Empty, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { withPart } from "../../parts/lazy.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { invitations } from "../../invitations.ts";
import { go, goInstead, href, route } from "../../routes.ts";
import { startShow } from "../../showing/slideshow/start.tsx";
import { revision, vault } from "../../vault.ts";
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import type {
  AlbumPage,
  MemberCard,
} from "../../../workers/library/albums/album_cards.ts";
import { useTitle } from "../../title.ts";
import { messages } from "../../messages.ts";
import { whereWhenText } from "../where_text.ts";
import { Gone as GonePhotos } from "../safety/gone.tsx";
import { addPhotos } from "./adding.tsx";
import { Face, nameOf } from "./faces.tsx";
import { Crumbs } from "./crumbs.tsx";
import { downloadItem } from "./download.ts";
import { favouriteItem } from "./favourite.ts";
import { fillByItself, FillsItself } from "./filling.tsx";
import { naming } from "./naming.tsx";
import { ShareLink } from "./share_link.tsx";
import { PeopleDialog } from "./people.tsx";
import { changeRoster } from "./roster.tsx";

/** The view at `#/album/<id>`. */
export function AlbumView() {
  const id = route.value.path[1] ?? "";
  return <Shown key={id} id={id} />;
}

function Shown({ id }: { readonly id: string }) {
  const { albums } = messages.value;
  const { value: album, here, error } = useLoaded(
    () => vault().albums.page(id),
    [id, revision.value],
  );
  const list = useList({ kind: "album", id });
  useTitle(album?.title ?? "");
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (!here) return <div aria-busy="true" />;
  if (album === undefined) return <Gone id={id} />;
  return (
    <HeadedGrid
      source={{ kind: "album", id }}
      list={list}
      head={<Head album={album} />}
      empty={!album.broken && (
        <Empty icon="photos" title={albums.emptyAlbum}>
          <p class="quiet measure">
            {album.writable ? albums.emptyAlbumHint : albums.emptyAlbumViewer}
          </p>
        </Empty>
      )}
    />
  );
}

function Gone({ id }: { readonly id: string }) {
  const { albums } = messages.value;
  const invitation = invitations.value.find((one) => one.id === id);
  if (invitation !== undefined) {
    const { title } = invitation;
    return (
      <Empty icon="albums" title={albums.acceptFirst}>
        <p class="quiet">
          {albums.acceptFirstHint({
            title: title === "" ? albums.untitled : title,
          })}
        </p>
        <a class="button" href={href("albums")}>{albums.title}</a>
      </Empty>
    );
  }
  return (
    <Empty icon="albums" title={albums.gone}>
      <p class="quiet">{albums.goneHint}</p>
      <a class="button" href={href("albums")}>{albums.title}</a>
    </Empty>
  );
}

/** Makes a picture frame of the album. */
function frameOf(source: FollowedList): Promise<void> {
  return withPart(
    () => import("../sharing/make_frame.tsx"),
    ({ makeFrame }) => makeFrame(source),
  );
}

/** The heading above the photos. */
function Head({ album }: { readonly album: AlbumPage }) {
  const { albums, common } = messages.value;
  const title = album.title === "" ? albums.untitled : album.title;
  const showPeople = () =>
    overlay((close) => <PeopleDialog albumId={album.id} onClose={close} />);
  const others = album.members.filter(({ me }) => !me);
  const taken = whereWhenText(album.taken);
  return (
    <header class="album-head">
      <Crumbs path={partsOfTitle(title).slice(0, -1)} />
      <h1>{title}</h1>
      {album.description !== undefined && (
        <p class="measure">{album.description}</p>
      )}
      {album.unopened
        ? <Notice kind="warn">{albums.unopened}</Notice>
        : album.broken && <Notice>{albums.broken}</Notice>}
      <div class="album-line">
        <p class="quiet">
          <span>{albums.photos({ n: album.count, noun: album.noun })}</span>
          {taken !== "" && ` · ${taken}`}
        </p>
        {others.length > 0 && (
          <People members={album.members} onShow={showPeople} />
        )}
      </div>
      {!album.broken && (
        <div class="actions">
          {album.writable && (
            <Menu
              label={albums.add}
              kind="main"
              button={
                <>
                  <Icon name="add" />
                  <span>{albums.add}</span>
                </>
              }
              items={[{
                icon: "photos",
                label: albums.addLibrary,
                act: () => addPhotos(album.id, title),
              }, {
                icon: "upload",
                label: albums.addDevice,
                act: () => chooseFiles("files"),
              }]}
            />
          )}
          {album.count > 0 && (
            <ShareLink source={{ kind: "album", id: album.id }} title={title} />
          )}
          <Button icon="people" onClick={showPeople}>
            {album.own ? albums.invite : albums.people}
          </Button>
          <Menu
            label={common.more}
            button={<Icon name="more" />}
            items={itemsOf(album, title)}
          />
        </div>
      )}
      {album.writable && <FillsItself albumId={album.id} />}
      <GonePhotos where={{ kind: "album", id: album.id }} />
    </header>
  );
}

/** More are counted. */
const MOST_NAMED = 4;

/** Who is in it, each named once; how many photos of whom, where it matters. */
function People(
  { members, onShow }: {
    readonly members: readonly MemberCard[];
    readonly onShow: () => void;
  },
) {
  const { albums } = messages.value;
  const shares = members.filter(({ count }) => count > 0).length > 1;
  const named = members.slice(0, MOST_NAMED);
  return (
    <button type="button" class="chips" onClick={onShow}>
      <span class="unseen">{albums.people}:</span>
      {named.map((one) => (
        <span key={one.userId} class="chip">
          <Face member={one} />
          {nameOf(one)}
          {shares && one.count > 0 &&
            ` · ${albums.photos({ n: one.count, noun: one.noun })}`}
        </span>
      ))}
      {members.length > named.length && (
        <span class="chip more">+{members.length - named.length}</span>
      )}
    </button>
  );
}

function itemsOf(album: AlbumPage, title: string): readonly MenuItem[] {
  const { albums, common, filling, pictureFrame, remarks, shell, slideshow } =
    messages.value;
  const source = { kind: "album", id: album.id } as const;
  const show: MenuItem = {
    icon: "play",
    label: slideshow.title,
    act: () => startShow(source),
  };
  const shows = album.count > 1 ? [show] : [];
  const framed: MenuItem = {
    icon: "photos",
    label: pictureFrame.menu,
    act: () => frameOf(source),
  };
  const map: MenuItem = {
    icon: "place",
    label: shell.map,
    act: () => go(`${href("map")}?${new URLSearchParams({ album: album.id })}`),
  };
  const favourite = favouriteItem(album);
  const fills: readonly MenuItem[] = album.writable
    ? [{
      icon: "people",
      label: filling.menu,
      act: () => fillByItself(album.id),
    }]
    : [];
  const download = album.count > 0 ? [downloadItem(source, title)] : [];
  const isOthers = album.members.some(({ me, count }) => !me && count > 0);
  const save: readonly MenuItem[] = isOthers
    ? [{
      icon: "addTo",
      label: albums.saveAll,
      act: () =>
        withPart(
          () => import("./adding.tsx"),
          ({ saveAlbum }) => saveAlbum(album.id),
        ),
    }]
    : [];
  const timeline: readonly MenuItem[] = album.others > 0
    ? [{
      icon: "photos",
      label: album.inTimeline ? albums.timelineQuit : albums.timelineShow,
      act: async () => {
        const isIn = !album.inTimeline;
        await vault().albums.showInTimeline(album.id, isIn);
        toast(
          (isIn ? albums.timelineShown : albums.timelineOver)({ album: title }),
        );
      },
    }]
    : [];
  const first = [...shows, ...save, ...download, favourite, ...timeline];
  if (!album.own) {
    return [...first, map, ...fills, {
      icon: "signOut",
      label: albums.leave,
      danger: true,
      act: () =>
        withPart(
          () => import("./leaving.tsx"),
          ({ leaveAlbum }) => leaveAlbum(album, title),
        ),
    }];
  }
  return [...first, framed, map, ...fills, {
    icon: "edit",
    label: albums.rename,
    act: () =>
      naming({
        kind: "album",
        heading: albums.rename,
        title: album.title,
        ...(album.description === undefined
          ? {}
          : { description: album.description }),
        action: common.save,
        act: async (named, description) => {
          await changeRoster(
            album.id,
            () =>
              vault().albums.describe(album.id, { title: named, description }),
          );
        },
      }),
  }, {
    icon: "sort",
    label: album.order === "oldest" ? albums.newestFirst : albums.oldestFirst,
    act: () => {
      const order = album.order === "oldest" ? "newest" : "oldest";
      return changeRoster(
        album.id,
        () => vault().albums.describe(album.id, { order }),
      );
    },
  }, {
    icon: "comment",
    label: album.remarks ? remarks.turnOff : remarks.turnOn,
    act: async () => {
      const change = { remarks: !album.remarks };
      const done = await changeRoster(
        album.id,
        () => vault().albums.describe(album.id, change),
      );
      if (done) toast(album.remarks ? remarks.isOff : remarks.isOn);
    },
  }, {
    icon: "trash",
    label: albums.delete,
    danger: true,
    act: () =>
      confirm({
        title: albums.deleteTitle({ album: title }),
        text: albums.deleteText,
        action: albums.delete,
        act: async () => {
          await vault().albums.discard(album.id);
          goInstead(href("albums"));
          toast(albums.deleted({ album: title }));
        },
      }),
  }];
}
