/**
 * The web app, which a browser gets at `/`.
 *
 * @module
 */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { effect, signal } from "@preact/signals";
import "../browser.ts";
import { chooseAppearance } from "./appearance.ts";
import { faultText } from "./faults.ts";
import { allPictures } from "./first_pictures.ts";
import "./install.ts";
import { takeLink } from "./joining.ts";
import { ownConnection } from "./own_connection.ts";
import { part } from "./part.ts";
import { Notice } from "./parts/controls.tsx";
import { lazily, withPart } from "./parts/lazy.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { type Returned, takeReturned } from "./provider.ts";
import { goInstead, href, route } from "./routes.ts";
import { threadAddress } from "./trusted.ts";
import { otherBuild, question, sessionState, vault } from "./vault.ts";
import { Shell } from "./screens/shell.tsx";
import { chooseLanguage, firstMessages } from "./first_messages.ts";

const Entry = lazily(async () =>
  (await import("./screens/entry/entry.tsx")).Entry
);
const NewAccount = lazily(async () =>
  (await import("./screens/entry/new_account.tsx")).NewAccount
);
const OwnPassword = lazily(async () =>
  (await import("./screens/entry/own_password.tsx")).OwnPassword
);
const Sealed = lazily(async () =>
  (await import("./screens/unlock/sealed.tsx")).Sealed
);
const Unlock = lazily(async () =>
  (await import("./screens/unlock/unlock.tsx")).Unlock
);
const Connection = lazily(async () =>
  (await import("./screens/entry/connection.tsx")).ConnectionPage
);
const Questions = lazily(
  async () => (await import("./screens/questions.tsx")).Questions,
  { quiet: true },
);
const OtherBuild = lazily(async () =>
  (await import("./screens/entry/other_build.tsx")).OtherBuild
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
  switch (phase) {
    case "out":
      return <Entry returned={returned} />;
    case "sealed":
      return <Sealed />;
    case "password":
      return <OwnPassword />;
    case "new":
      return <NewAccount />;
    case "locked":
      return <Unlock />;
    case "open":
      return <Shell />;
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
    (await part(() => import("./showing/frame/frame.tsx"))).showFrame(root);
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
  // It fetches the whole app, for later.
  if (sessionState.value?.phase === "open") await allPictures();
  await registerWorker();
}

async function registerWorker(): Promise<void> {
  // Insecure contexts lack it, although its type says otherwise.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  await workers?.register(threadAddress("sw.js")).catch(() => {
    // Without it the app works, but needs the network to open.
  });
}

/** The route that the service worker opens. */
const PLACE = "upload";
/** Longest wait for an answer; a worker that has ended gives none (ms). */
const PATIENCE_MS = 5_000;

/** Takes the shared files, which are handed over only once. */
function takeSharedFiles(): Promise<readonly File[]> {
  // Insecure contexts lack it, although its type says otherwise.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const worker = workers?.controller;
  if (worker === null || worker === undefined) return Promise.resolve([]);
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), PATIENCE_MS);
    port1.onmessage = ({ data }: MessageEvent<readonly File[]>) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.postMessage("shared", [port2]);
  });
}

/**
 * Offers to add the files that another app shares with this one. The service
 * worker takes them, opens the app at `#/upload`, and holds them in memory until
 * a page asks. They are never stored unencrypted.
 *
 * Takes the shared files as soon as the page is there, because the service
 * worker may have ended by the time the library is open. Then it asks the
 * person, because a website can share files like an app.
 */
function offerSharedFiles(): void {
  let taken: Promise<readonly File[]> | undefined;
  effect(() => {
    if (route.value.path[0] === PLACE) taken ??= takeSharedFiles();
    if (taken === undefined || sessionState.value?.phase !== "open") return;
    const files = taken;
    taken = undefined;
    goInstead(href("photos"));
    offer(files);
  });
}

async function offer(taken: Promise<readonly File[]>): Promise<void> {
  const files = await taken;
  if (files.length === 0) return;
  await withPart(
    () => import("./upload/shared_files_dialog.tsx"),
    ({ askToAdd }) => askToAdd(files),
  );
}

start();
