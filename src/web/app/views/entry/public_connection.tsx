/**
 * The page for plain http on a public address, where nobody can sign in.
 *
 * @module
 */
import { Button, Notice } from "../../parts/controls.tsx";
import { Logo } from "../../parts/logo.tsx";
import { messages } from "../../messages.ts";

/** Says why, and where to go. */
export function PublicConnection() {
  const { entry, frame } = messages.value;
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
        <a href="#/connection">{frame.insecureMore}</a>
      </div>
    </main>
  );
}
