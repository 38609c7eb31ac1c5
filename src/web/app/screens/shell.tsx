/**
 * The app once the library is open: the bar above, the navigation at the side
 * (below on a phone), and the view of the route.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { isLarge, LargePhoto } from "../showing/lightbox/large.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { part } from "../part.ts";
import { lazily, withPart } from "../parts/lazy.tsx";
import { Logo } from "../parts/logo.tsx";
import { Menu } from "../parts/menu.tsx";
import { useLoaded } from "../loaded.ts";
import { forgetLostFocus } from "../parts/focus.ts";
import { Overlays } from "../parts/overlays.tsx";
import { go, href, route } from "../routes.ts";
import {
  onVault,
  sessionState,
  stillShown,
  syncState,
  unsent,
  vault,
} from "../vault.ts";
import { useTitle } from "../title.ts";
import { followInvitations, invitations } from "../invitations.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { ThreadError } from "../../../client/stream/threads/thread_messages.ts";
import {
  followGuestFilesCount,
  guestFilesCount,
} from "../guest_files_count.ts";
import { firstMessages, language } from "../first_messages.ts";
import { picturesCame } from "../first_pictures.ts";
import { noteOpened } from "./entry/forgetting.ts";
import { InsecureBanner } from "./entry/insecure_banner.tsx";
import { Photos } from "./photos.tsx";

const AddButton = lazily(
  async () => (await import("../upload/adding.tsx")).AddButton,
  { quiet: true, afterPictures: true },
);
const DropZone = lazily(
  async () => (await import("../upload/adding.tsx")).DropZone,
  { quiet: true, afterPictures: true },
);
const Queue = lazily(
  async () => (await import("../upload/adding.tsx")).Queue,
  { quiet: true, afterPictures: true },
);
const Unfinished = lazily(
  async () => (await import("../upload/adding.tsx")).Unfinished,
  { quiet: true, afterPictures: true },
);
const SearchField = lazily(
  async () => (await import("./search_field.tsx")).SearchField,
  { quiet: true, afterPictures: true },
);
const Savings = lazily(
  async () => (await import("../saving/savings.tsx")).Savings,
  { quiet: true, afterPictures: true },
);
const StillShown = lazily(
  async () => (await import("./editing/still_shown.tsx")).StillShown,
  { quiet: true, afterPictures: true },
);
const Reminder = lazily(
  async () => (await import("./entry/reminder.tsx")).Reminder,
  { quiet: true, afterPictures: true },
);

const HomeInvitations = lazily(
  async () => (await import("./albums/invitation_cards.tsx")).HomeInvitations,
  { quiet: true, afterPictures: true },
);

/** A view; but for the first one, each is fetched when it is first gone to. */
interface View {
  readonly path: string;
  readonly icon?: IconName;
  /** The path of the navigation entry to which it belongs. */
  readonly under?: string;
  readonly shown: ComponentType;
}

/** All views; those with an icon are in the navigation. */
const VIEWS: readonly View[] = [
  { path: "photos", icon: "photos", shown: Photos },
  { path: "favourites", under: "albums", shown: Photos },
  {
    path: "hidden",
    under: "albums",
    shown: lazily(async () => (await import("./albums/hidden.tsx")).Hidden),
  },
  { path: "search", shown: Photos },
  { path: "area", under: "albums", shown: Photos },
  {
    path: "map",
    under: "albums",
    shown: lazily(async () => (await import("../map/map.tsx")).MapView),
  },
  {
    path: "albums",
    icon: "albums",
    shown: lazily(async () => (await import("./albums.tsx")).Albums),
  },
  {
    path: "album",
    under: "albums",
    shown: lazily(async () => (await import("./albums/album.tsx")).AlbumView),
  },
  {
    path: "abroad",
    under: "albums",
    shown: lazily(async () =>
      (await import("../abroad/album.tsx")).AlbumAbroad
    ),
  },
  {
    path: "collection",
    under: "albums",
    shown: lazily(async () =>
      (await import("./albums/collection.tsx")).CollectionView
    ),
  },
  {
    path: "new",
    under: "albums",
    shown: lazily(async () =>
      (await import("./activity/activity.tsx")).ActivityView
    ),
  },
  {
    path: "memory",
    under: "photos",
    shown: lazily(async () =>
      (await import("./memories/memory.tsx")).MemoryView
    ),
  },
  {
    path: "stack",
    under: "photos",
    shown: lazily(async () => (await import("./stack.tsx")).StackView),
  },
  {
    path: "person",
    under: "albums",
    shown: lazily(async () => (await import("./people/people.tsx")).People),
  },
  {
    path: "archive",
    under: "albums",
    shown: lazily(async () => (await import("./albums/archive.tsx")).Archive),
  },
  {
    path: "recent",
    under: "albums",
    shown: lazily(async () => (await import("./activity/recent.tsx")).Recent),
  },
  {
    path: "largest",
    shown: lazily(async () => (await import("./settings/largest.tsx")).Largest),
  },
  {
    path: "similar",
    under: "albums",
    shown: lazily(async () => (await import("./similar/similar.tsx")).Similar),
  },
  {
    path: "sharing",
    icon: "sharing",
    shown: lazily(async () => (await import("./sharing.tsx")).Sharing),
  },
  {
    path: "safety",
    icon: "safe",
    shown: lazily(async () => (await import("./safety/safety.tsx")).Safety),
  },
  {
    path: "trash",
    icon: "trash",
    shown: lazily(async () => (await import("./trash.tsx")).Trash),
  },
  {
    path: "connection",
    shown: lazily(async () =>
      (await import("./entry/connection.tsx")).Connection
    ),
  },
  {
    path: "words",
    shown: lazily(async () =>
      (await import("./entry/new_recovery_words.tsx")).NewRecoveryWords
    ),
  },
  ...["contact", "pickup", "for-you"].map((path) => ({
    path,
    under: "albums",
    shown: lazily(async () => (await import("../abroad/for_you.tsx")).ForYou),
  })),
  {
    path: "settings",
    shown: lazily(async () =>
      (await import("./settings/settings.tsx")).Settings
    ),
  },
];

/** The app once the library is open. */
export function Shell() {
  useEffect(noteOpened, []);
  useEffect(() => {
    vault().session.speaks(language.value);
  }, [language.value]);
  useEffect(
    () =>
      onVault(
        "takenBack",
        (fault) => toast(faultText(new ThreadError(fault))),
      ),
    [],
  );
  // Few people share with another server.
  useEffect(() => onVault("wantsAbroad", lendAbroad), []);
  const { onlyHere } = sessionState.value ?? {};
  useEffect(() => {
    if (onlyHere === undefined) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [onlyHere]);
  return (
    <>
      <Panes />
      <LargePhoto />
      <div class="under-way">
        <div inert={isLarge.value}>
          <Queue />
        </div>
        <Savings />
        {stillShown.value !== undefined && <StillShown />}
      </div>
      <Overlays />
    </>
  );
}

async function lendAbroad(): Promise<void> {
  try {
    const lending = await part(() => import("../abroad/lending.ts"));
    await lending.lendAbroad();
  } catch {
    // Without a network nothing else comes either; the vault asks again.
  }
}

/** Whose account it is, at the head of its menu. */
function Who() {
  const profile = useLoaded(() => vault().settings.profile(), []).value;
  const named = [profile?.display_name, profile?.address]
    .filter((one) => one !== undefined && one !== null && one !== "");
  return named.length === 0 ? null : (
    <p class="menu-head">
      {named.map((one, at) =>
        at === 0
          ? <strong key={one}>{one}</strong>
          : <span key={one} class="quiet small">{one}</span>
      )}
    </p>
  );
}

/** The part that is inert while a photo is shown large. */
function Panes() {
  const { shell } = firstMessages.value;
  return (
    <div class="shell" inert={isLarge.value}>
      <a class="skip" href="#content" onClick={skip}>{shell.skip}</a>
      <header class="bar">
        <a class="brand" href={href("photos")}>
          <Logo /> <span>strongroom</span>
        </a>
        <div class="bar-middle">
          <SearchField />
        </div>
        <AddButton />
        <Menu
          label={shell.account}
          button={<Icon name="account" size={24} />}
          head={() => <Who />}
          items={[
            {
              icon: "settings",
              label: shell.settings,
              act: () => go(href("settings")),
            },
            { icon: "lock", label: shell.lock, act: lockNow },
            {
              icon: "signOut",
              label: shell.signOut,
              act: signOutNow,
            },
          ]}
        />
      </header>
      <nav class="places" aria-label="strongroom">
        {VIEWS.filter(({ icon }) => icon !== undefined).map((
          { path, icon },
        ) => (
          <a
            key={path}
            href={path === "sharing" && guestFilesCount.value > 0
              ? href(path, "inbox")
              : href(path)}
            aria-current={placeOf(route.value.path[0] ?? "photos") === path
              ? "page"
              : undefined}
          >
            <Icon name={icon ?? "photos"} size={22} />
            <span>{nameOf(path)}</span>
            {path === "sharing" && <Waiting />}
            {path === "albums" && <NewAlbums />}
          </a>
        ))}
      </nav>
      <main class="content" id="content" tabIndex={-1}>
        <InsecureBanner inside keep={keepHere} />
        <Reminder />
        <Away />
        {isHome() && invitations.value.length > 0 && <HomeInvitations />}
        <Unfinished />
        <Shown />
      </main>
      <DropZone />
    </div>
  );
}

/** Whether the browser has a network. */
const hasNetwork = signal(navigator.onLine);
for (const event of ["online", "offline"]) {
  addEventListener(event, () => hasNetwork.value = navigator.onLine);
}

/** That the server cannot be reached, and what waits for it. */
function Away() {
  const { shell } = firstMessages.value;
  const n = unsent.value;
  const isAway = syncState.value.state === "offline" || !hasNetwork.value;
  return (
    <p class={isAway || n > 0 ? "banner" : "unseen"} role="status">
      {(isAway || n > 0) && <Icon name="offline" />}
      {isAway && (hasNetwork.value ? shell.away : shell.offline)}{" "}
      {n > 0 && shell.unsent({ n })}
    </p>
  );
}

function nameOf(path: string): string {
  const names: Readonly<Record<string, unknown>> = firstMessages.value.shell;
  const name = names[path];
  return typeof name === "string" ? name : path;
}

const leaving = () => import("./unlock/leaving.tsx");

const keepHere = () => withPart(leaving, (leaving) => leaving.keepHere());
const lockNow = () => withPart(leaving, (leaving) => leaving.lockNow());
const signOutNow = () => withPart(leaving, (leaving) => leaving.signOutNow());

/** The navigation entry of a view. */
function placeOf(path: string | undefined): string | undefined {
  return VIEWS.find((one) => one.path === path)?.under ?? path;
}

/** The number of guests' files that wait. */
function Waiting() {
  useEffect(followGuestFilesCount, []);
  const count = guestFilesCount.value;
  if (count === 0) return null;
  return (
    <span class="badge">
      {count}
      <span class="unseen">
        {firstMessages.value.shell.waitingFiles({ n: count })}
      </span>
    </span>
  );
}

/** Whether the person is invited to albums. */
function NewAlbums() {
  useEffect(followInvitations, []);
  const count = invitations.value.length;
  if (count === 0) return null;
  return (
    <span class="badge dot">
      <span class="unseen">
        {firstMessages.value.shell.newAlbums({ n: count })}
      </span>
    </span>
  );
}

/** What views are called that have no title of their own. */
function titleAt(path: string): string {
  const { shell, photos } = firstMessages.value;
  switch (path) {
    case "photos":
    case "albums":
    case "sharing":
    case "safety":
    case "trash":
    case "search":
    case "map":
      return shell[path];
    case "favourites":
    case "hidden":
      return photos[path];
    default:
      return "";
  }
}

function isHome(): boolean {
  return placeOf(route.value.path[0] ?? "photos") === "photos";
}

/** The link must not become the route. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function Shown() {
  const path = route.value.path[0] ?? "photos";
  const view = VIEWS.find((one) => one.path === path) ?? VIEWS[0];
  useEffect(forgetLostFocus, [view]);
  useEffect(() => {
    // Another view awaits no pictures.
    if (view?.shown !== Photos) picturesCame();
  }, [view]);
  useTitle(titleAt(path));
  if (view === undefined) return null;
  const { shown: View } = view;
  return <View />;
}
