/**
 * The settings of the account and of this browser, in a few rooms.
 *
 * @module
 */
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { lazily } from "../../parts/lazy.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { ExportAll } from "../../saving/export_all.tsx";
import { useTitle } from "../../title.ts";
import { vault } from "../../vault.ts";
import { messages, textNamed } from "../../messages.ts";
import { FindingsSwitch, ofThings, ofWords } from "../findings/choice.tsx";
import { FacesSwitch } from "../people/choice.tsx";
import { DeletePage } from "./delete.tsx";
import { Look } from "./look.tsx";
import { Group } from "./parts.tsx";
import { You } from "./you.tsx";
import { Storage } from "./storage.tsx";
import { Security } from "./security.tsx";
import { YourPhone } from "./phone.tsx";

interface Page {
  readonly path: string;
  readonly View: ComponentType;
}

/** A page of the list. */
interface Room extends Page {
  readonly icon: IconName;
}

/** What everyone sees. */
const ROOMS: readonly Room[] = [
  { path: "you", icon: "account", View: You },
  { path: "security", icon: "lock", View: Security },
  { path: "storage", icon: "storage", View: Storage },
  { path: "find", icon: "search", View: FindPage },
  { path: "look", icon: "look", View: Look },
  { path: "phone", icon: "camera", View: YourPhone },
];

/** Few have it, and they fetch it. */
const OF_OPERATORS: Room = {
  path: "operator",
  icon: "settings",
  View: lazily(async () => (await import("./operator.tsx")).Operator),
};

/** Few need it more than once, and they fetch it. */
const ImportPage = lazily(
  async () => (await import("../../import/import.tsx")).ImportPage,
);

/** Loaded later: few people share with another server. */
const ContactCard = lazily(
  async () => (await import("../../abroad/contact_card.tsx")).ContactCardPage,
);

/** Pages that a room leads to. */
const WITHIN: readonly (Page & { readonly room: string })[] = [
  { path: "contact", room: "you", View: ContactCard },
  { path: "delete", room: "you", View: DeletePage },
  { path: "import", room: "storage", View: ImportPage },
  { path: "export", room: "storage", View: ExportAll },
];

/** Where pages went that had an address of their own. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
  profile: ["settings", "you"],
  devices: ["settings", "security", "devices"],
  recovery: ["settings", "security", "words"],
  browser: ["settings", "security", "browser"],
  record: ["safety"],
  about: ["safety"],
};

/** The view at `#/settings`: the list of rooms, and the chosen one. */
export function Settings() {
  const chosen = route.value.path[1] ?? "";
  const moved = Object.hasOwn(MOVED, chosen) ? MOVED[chosen] : undefined;
  useEffect(() => {
    if (moved !== undefined) goInstead(href(...moved));
  }, [moved]);
  return moved === undefined ? <Rooms chosen={chosen} /> : null;
}

function Rooms({ chosen }: { readonly chosen: string }) {
  const { common, settings } = messages.value;
  const profile = useLoaded(() => vault().settings.profile(), []).value;
  const rooms = profile?.is_operator === true
    ? [...ROOMS, OF_OPERATORS]
    : ROOMS;
  const within = WITHIN.find(({ path }) => path === chosen);
  const page = within ?? rooms.find(({ path }) => path === chosen);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (chosen === "") return;
    heading.current?.focus({ preventScroll: true });
  }, [chosen]);
  useTitle(
    page === undefined
      ? settings.title
      : textNamed(settings.pages, page.path) ?? "",
  );
  const { path, View } = page ?? { path: "you", View: You };
  const room = within?.room;
  return (
    <div class={page === undefined ? "settings" : "settings has-page"}>
      <div class="settings-list">
        <h1>{settings.title}</h1>
        <nav aria-label={settings.title}>
          {rooms.map((one) => (
            <a
              key={one.path}
              href={href("settings", one.path)}
              aria-current={one.path === (room ?? path) ? "page" : undefined}
            >
              <Icon name={one.icon} />
              <span>{textNamed(settings.pages, one.path)}</span>
              <Icon name="right" size={16} />
            </a>
          ))}
        </nav>
      </div>
      <section class="settings-page">
        {/* The one of the list, where a phone does not show it. */}
        <h1 class="unseen of-phone">{settings.title}</h1>
        <a
          class={room === undefined ? "back" : "back within"}
          href={room === undefined ? href("settings") : href("settings", room)}
        >
          <Icon name="back" />{" "}
          {room === undefined ? common.back : textNamed(settings.pages, room)}
        </a>
        <h2 class="page-title" tabIndex={-1} ref={heading}>
          {textNamed(settings.pages, path)}
        </h2>
        <View key={path} />
      </section>
    </div>
  );
}

/** The page `find`: what devices look for in photos. */
function FindPage() {
  return (
    <Group why={messages.value.settings.find.why}>
      <FacesSwitch />
      <FindingsSwitch kind={ofThings()} />
      <FindingsSwitch kind={ofWords()} />
    </Group>
  );
}
