/**
 * Share links, upload links, and the files that guests sent.
 *
 * @module
 */
import { href, route } from "../routes.ts";
import { messages } from "../messages.ts";
import { guestFilesCount } from "../guest_files_count.ts";
import { Inbox } from "./sharing/inbox.tsx";
import { LinkPage } from "./sharing/link_page.tsx";
import { Links } from "./sharing/links.tsx";
import { RequestPage } from "./sharing/request_page.tsx";
import { SaveShared } from "./sharing/save_shared.tsx";
import { Requests } from "./sharing/requests.tsx";

const TABS = ["links", "requests", "inbox"] as const;
type Tab = typeof TABS[number];

/** The view at `#/sharing`. */
export function Sharing() {
  const { sharing } = messages.value;
  const [, part, id] = route.value.path;
  if (part === "link" && id !== undefined) return <LinkPage key={id} id={id} />;
  if (part === "request" && id !== undefined) {
    return <RequestPage key={id} id={id} />;
  }
  if (part === "save" && id !== undefined) return <SaveShared link={id} />;
  const tab = TABS.find((one) => one === part) ?? "links";
  return (
    <div class="view">
      <header class="view-head">
        <h1>{sharing.title}</h1>
      </header>
      <nav class="tabs" aria-label={sharing.title}>
        {TABS.map((one) => (
          <a
            key={one}
            href={href("sharing", one)}
            aria-current={one === tab ? "page" : undefined}
          >
            {sharing[one]}
            {one === "inbox" && guestFilesCount.value > 0 && (
              <span class="badge">{guestFilesCount.value}</span>
            )}
          </a>
        ))}
      </nav>
      <Tabbed tab={tab} />
    </div>
  );
}

function Tabbed({ tab }: { readonly tab: Tab }) {
  switch (tab) {
    case "links":
      return <Links />;
    case "requests":
      return <Requests />;
    case "inbox":
      return <Inbox />;
  }
}
