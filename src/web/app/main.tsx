/**
 * The web app: what a browser gets at `/`.
 *
 * @module
 */
import { render } from "preact";
import { signal } from "@preact/signals";
import "../browser.ts";
import { faultText } from "./faults.ts";
import { Notice } from "./parts/controls.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { threadAddress } from "./trusted.ts";
import { standing, vault } from "./vault.ts";
import { Entry } from "./views/entry.tsx";
import { Frame } from "./views/frame.tsx";
import { Questions } from "./views/questions.tsx";
import { Unlock } from "./views/unlock.tsx";
import { chooseLanguage, words } from "./words.ts";

const fault = signal<unknown>(undefined);

function App() {
  return (
    <>
      {fault.value === undefined ? <Screen /> : (
        <div class="page-centre">
          <Notice>{faultText(fault.value)}</Notice>
        </div>
      )}
      <Questions />
      <Toasts />
    </>
  );
}

function Screen() {
  switch (standing.value?.phase) {
    case undefined:
      return (
        <div class="page-centre" aria-busy="true">
          <p class="quiet">{words.value.common.loading}</p>
        </div>
      );
    case "out":
      return <Entry />;
    case "locked":
      return <Unlock />;
    case "open":
      return <Frame />;
  }
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no #app");
  await chooseLanguage();
  render(<App />, root);
  try {
    standing.value = await vault().session.resume();
  } catch (error) {
    fault.value = error;
  }
  // Absent in insecure contexts, whatever the types say.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  await workers?.register(threadAddress("sw.js")).catch(() => {
    // The app works without: it then needs the network to open.
  });
}

start();
