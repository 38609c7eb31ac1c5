/**
 * The web app, which a browser gets at `/`.
 *
 * @module
 */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import "../browser.ts";
import { chooseAppearance } from "./appearance.ts";
import { faultText } from "./faults.ts";
import "./install.ts";
import { takeLink } from "./joining.ts";
import { ownConnection } from "./own_connection.ts";
import { part } from "./part.ts";
import { Notice } from "./parts/controls.tsx";
import { lazily } from "./parts/lazy.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { type Returned, takeReturned } from "./provider.ts";
import { route } from "./routes.ts";
import { offerSharedFiles } from "./shared_files.ts";
import { threadAddress } from "./trusted.ts";
import { otherBuild, question, sessionState, vault } from "./vault.ts";
import { Frame } from "./views/frame.tsx";
import { chooseLanguage, firstMessages } from "./first_messages.ts";

const Entry = lazily(async () =>
  (await import("./views/entry/entry.tsx")).Entry
);
const NewAccount = lazily(async () =>
  (await import("./views/entry/new_account.tsx")).NewAccount
);
const Sealed = lazily(async () =>
  (await import("./views/unlock/sealed.tsx")).Sealed
);
const Unlock = lazily(async () =>
  (await import("./views/unlock/unlock.tsx")).Unlock
);
const Connection = lazily(async () =>
  (await import("./views/entry/connection.tsx")).ConnectionPage
);
const Questions = lazily(
  async () => (await import("./views/questions.tsx")).Questions,
  { quiet: true },
);
const OtherBuild = lazily(async () =>
  (await import("./views/entry/other_build.tsx")).OtherBuild
);

const fault = signal<unknown>(undefined);
const returned = signal<Returned | undefined>(takeReturned());

function App() {
  return (
    <>
      {fault.value === undefined ? <Screen /> : (
        <div class="page-centre">
          <Notice>{faultText(fault.value)}</Notice>
        </div>
      )}
      {question.value !== undefined && <Questions />}
      <Toasts />
    </>
  );
}

function Screen() {
  const phase = sessionState.value?.phase;
  const here = route.value.path[0];
  useEffect(takeLink, [here]);
  if (otherBuild.value) return <OtherBuild />;
  if (phase === undefined) {
    return (
      <div class="page-centre" aria-busy="true">
        <p class="quiet">{firstMessages.value.common.loading}</p>
      </div>
    );
  }
  if (here === "connection" && phase !== "open") return <Connection />;
  if (here === "reset") return <Entry returned={returned} />;
  switch (phase) {
    case "out":
      return <Entry returned={returned} />;
    case "sealed":
      return <Sealed />;
    case "new":
      return <NewAccount />;
    case "locked":
      return <Unlock />;
    case "open":
      return <Frame />;
  }
}

/** Whether this is a picture frame, which is no account's. */
const isFrame = () => location.hash.startsWith("#/frame");

/** Waits until the tab is visible; a tab in the background opens nothing. */
function looked(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), {
      once: true,
    });
  });
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no #app");
  chooseAppearance();
  await chooseLanguage();
  if (isFrame()) {
    (await part(() => import("./frame/frame.tsx"))).showFrame(root);
    return registerWorker();
  }
  addEventListener("hashchange", () => isFrame() && location.reload());
  render(<App />, root);
  offerSharedFiles();
  await looked();
  try {
    // Over an unsafe public connection, not even the kept session is opened.
    sessionState.value = ownConnection() === "public"
      ? { phase: "out" }
      : await vault().session.resume();
  } catch (error) {
    fault.value = error;
  }
  await registerWorker();
}

async function registerWorker(): Promise<void> {
  // Insecure contexts lack it, although its type says otherwise.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  await workers?.register(threadAddress("sw.js")).catch(() => {
    // Without it the app works, but needs the network to open.
  });
}

start();
