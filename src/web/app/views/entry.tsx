/**
 * Before anybody is signed in: what this is, and the ways in.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import { Button, Field, Notice } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { go, href, route } from "../routes.ts";
import { fileAddress } from "../trusted.ts";
import { standing, vault } from "../vault.ts";
import { words } from "../words.ts";

/** The landing page, signing up, or signing in, as the address says. */
export function Entry() {
  switch (route.value.path[0]) {
    case "sign-up":
      return <Credentials isNew />;
    case "sign-in":
      return <Credentials isNew={false} />;
    default:
      return <Landing />;
  }
}

function Landing() {
  const { entry } = words.value;
  return (
    <main class="landing">
      <div class="brand">
        <Logo /> strongroom{" "}
        <span class="quiet">{entry.server(location.host)}</span>
      </div>
      <h1>{entry.tagline}</h1>
      <div class="actions">
        <Button kind="main" onClick={() => go(href("sign-up"))}>
          {entry.signUp}
        </Button>
        <Button onClick={() => go(href("sign-in"))}>{entry.signIn}</Button>
      </div>
      <ul class="points">
        {entry.points.map(([title, text], index) => (
          <li key={title}>
            <Icon
              name={(["lock", "kept", "link"] as const)[index] ?? "check"}
              size={24}
            />
            <div>
              <h2>{title}</h2>
              <p class="quiet">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** The mark of the program. */
export function Logo() {
  return <img class="logo" src={fileAddress("icon.svg")} alt="" />;
}

function Credentials({ isNew }: { readonly isNew: boolean }) {
  const { common, entry } = words.value;
  const [address, setAddress] = useState("");
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setFault(undefined);
    setBusy(true);
    try {
      const { session } = vault();
      standing.value = isNew
        ? await session.register({ address, password })
        : await session.signIn({ address, password });
      go(href("photos"));
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="card-page">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <a class="back" href="#/">
          <Icon name="back" /> {common.back}
        </a>
        <h1>{isNew ? entry.signUp : entry.signIn}</h1>
        <Field
          label={entry.address}
          type="email"
          autocomplete="username"
          required
          autofocus
          value={address}
          onInput={setAddress}
        />
        <Field
          label={entry.password}
          type="password"
          autocomplete={isNew ? "new-password" : "current-password"}
          required
          value={password}
          {...(isNew ? { hint: entry.passwordHint } : {})}
          onInput={setPassword}
        />
        {fault !== undefined && <Notice>{fault}</Notice>}
        <Button kind="main" type="submit" busy={busy}>
          {busy ? entry.working : isNew ? entry.signUp : entry.signIn}
        </Button>
      </form>
    </main>
  );
}
