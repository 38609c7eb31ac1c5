/**
 * The pages before sign-in: what this is, and the ways in.
 *
 * @module
 */
import type { Signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { AppConfig } from "../../../../client/api/public_calls.ts";
import { ownConnection } from "../../own_connection.ts";
import type { Returned } from "../../provider.ts";
import { route } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { wasForgotten } from "./forgetting.ts";
import { Landing } from "./landing.tsx";
import { SignIn } from "./sign_in.tsx";
import { SignUp } from "./sign_up.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { Logo } from "../../parts/logo.tsx";
import { messages } from "../../messages.ts";

const LinkElsewhere = lazily(async () =>
  (await import("../../abroad/for_you.tsx")).LinkElsewhere
);

/** The landing page, sign-up or sign-in, depending on the route. */
export function Entry(
  { returned }: { readonly returned: Signal<Returned | undefined> },
) {
  const [config, setConfig] = useState<AppConfig>();
  useEffect(() => {
    // Over an unsafe connection, no request is made either.
    if (ownConnection() === "public") return;
    vault().session.server().then(setConfig, () => {
      // Without the answer, the page shows every way in, and the server refuses
      // those it does not have.
    });
  }, []);
  if (ownConnection() === "public") return <PublicConnection />;
  const [first, code = ""] = route.value.path;
  if (returned.value !== undefined) {
    return <SignIn config={config} returned={returned} />;
  }
  switch (first) {
    case "invited":
    case "join-as":
      return <SignUp config={config} invitation={code} />;
    case "sign-up":
      return <SignUp config={config} />;
    case "contact":
    case "pickup":
      return (
        <main class="card-page">
          <div class="card">
            <LinkElsewhere />
          </div>
        </main>
      );
    case "sign-in":
      return <SignIn config={config} returned={returned} />;
    default:
      return sessionState.value?.ended === true || wasForgotten()
        ? <SignIn config={config} returned={returned} />
        : <Landing config={config} />;
  }
}

/** The page for plain http on a public address, where no one can sign in. */
function PublicConnection() {
  const { entry, shell } = messages.value;
  const { host, pathname, hash } = location;
  return (
    <main class="card-page">
      <div class="card">
        <div class="brand">
          <Logo /> strongroom
        </div>
        <h1>{entry.publicTitle}</h1>
        <Notice>{entry.publicWhy}</Notice>
        <Button
          kind="main"
          onClick={() => location.assign(`https://${host}${pathname}${hash}`)}
        >
          {entry.publicTry}
        </Button>
        <a href="#/connection">{shell.insecureMore}</a>
      </div>
    </main>
  );
}
