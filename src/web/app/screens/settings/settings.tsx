/**
 * The settings of the account and of this browser, on several pages.
 *
 * @module
 */
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { lazily } from "../../parts/lazy.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { href, route } from "../../routes.ts";
import { ExportAll } from "../../saving/export_all.tsx";
import { useTitle } from "../../title.ts";
import { vault } from "../../vault.ts";
import { messages, textNamed, timeText } from "../../messages.ts";
import { DeletePage } from "./delete.tsx";
import { Devices } from "./devices.tsx";
import { Look } from "./look.tsx";
import { Profile } from "./profile.tsx";
import { Recovery } from "./recovery.tsx";
import { Storage } from "./storage.tsx";
import { Security } from "./security.tsx";
import { YourPhone } from "./phone.tsx";
import { ThisBrowser } from "./this_browser.tsx";
import { LinkOrigin } from "./link_origin.tsx";
import { Group, Line, Waiting } from "./parts.tsx";
import { Notice } from "../../parts/controls.tsx";

interface Page {
  readonly path: string;
  readonly icon: IconName;
  readonly View: ComponentType;
}

/** Few have it, and they fetch it. */
const OF_OPERATORS: Page = {
  path: "operator",
  icon: "settings",
  View: lazily(async () => (await import("./operator.tsx")).Operator),
};

/** Few need it more than once, and they fetch it. */
const ImportPage = lazily(
  async () => (await import("../../import/import.tsx")).ImportPage,
);

const PAGES: readonly Page[] = [
  { path: "profile", icon: "account", View: Profile },
  { path: "security", icon: "safe", View: Security },
  { path: "devices", icon: "device", View: Devices },
  { path: "phone", icon: "camera", View: YourPhone },
  { path: "recovery", icon: "key", View: Recovery },
  { path: "browser", icon: "lock", View: ThisBrowser },
  { path: "storage", icon: "storage", View: Storage },
  { path: "import", icon: "inbox", View: ImportPage },
  { path: "export", icon: "download", View: ExportAll },
  { path: "look", icon: "look", View: Look },
  { path: "record", icon: "record", View: RecordPage },
  { path: "about", icon: "info", View: About },
  { path: "delete", icon: "trash", View: DeletePage },
];

/** The view at `#/settings`: the list of pages, and the chosen page. */
export function Settings() {
  const { common, settings } = messages.value;
  const chosen = route.value.path[1];
  const profile = useLoaded(() => vault().settings.profile(), []).value;
  const pages = profile?.is_operator === true
    ? [...PAGES, OF_OPERATORS]
    : PAGES;
  const page = pages.find(({ path }) => path === chosen);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (chosen === undefined) return;
    heading.current?.focus({ preventScroll: true });
  }, [chosen]);
  useTitle(
    page === undefined
      ? settings.title
      : textNamed(settings.pages, page.path) ?? "",
  );
  const { path, View } = page ?? { path: "profile", View: Profile };
  return (
    <div class={page === undefined ? "settings" : "settings has-page"}>
      <div class="settings-list">
        <h1>{settings.title}</h1>
        <nav aria-label={settings.title}>
          {pages.map((one) => (
            <a
              key={one.path}
              href={href("settings", one.path)}
              aria-current={one.path === path ? "page" : undefined}
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
        <a class="back" href={href("settings")}>
          <Icon name="back" /> {common.back}
        </a>
        <h2 class="page-title" tabIndex={-1} ref={heading}>
          {textNamed(settings.pages, path)}
        </h2>
        <View key={path} />
      </section>
    </div>
  );
}

/** The page `about`: the version, the address of links, and the key. */
function About() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.about(), []);
  const about = loaded.value;
  if (about === undefined) return <Waiting loaded={loaded} />;
  return (
    <>
      <Group>
        <Line name={settings.version} value={`strongroom ${about.version}`} />
        <Line name={settings.server} value={location.origin} />
        <p class="quiet small">{settings.source}</p>
      </Group>
      <LinkOrigin />
      <Group title={settings.fingerprint} why={settings.fingerprintWhy}>
        <code class="fingerprint" translate={false}>
          {about.fingerprint.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
      </Group>
    </>
  );
}

/** The page `record`: the operator's actions on the account. */
function RecordPage() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.record(), []);
  const record = loaded.value;
  if (record === undefined) return <Waiting loaded={loaded} />;
  const since = record.suspended_since ?? undefined;
  return (
    <>
      <Group title={settings.standing} why={settings.recordWhy}>
        <Notice kind={since === undefined ? "good" : "warn"}>
          {since === undefined
            ? settings.standingActive
            : settings.standingSuspended({
              day: timeText(since, { dateStyle: "long" }),
            })}
        </Notice>
      </Group>
      <Group title={settings.recordTitle}>
        {record.events.length === 0
          ? <p class="quiet">{settings.recordNone}</p>
          : (
            <ul class="lines">
              {record.events.map((event, index) => (
                <li class="line" key={index}>
                  <div>
                    <strong>
                      {textNamed(settings.actions, event.action) ??
                        event.action}
                    </strong>
                    <div class="quiet small">
                      {timeText(event.at)} · {event.reason ?? settings.noReason}
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          )}
      </Group>
    </>
  );
}
