/**
 * The page of a tab whose build was replaced by a newer one.
 *
 * @module
 */
import { Button } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";

/** Asks the person to reload the page. */
export function OtherBuild() {
  const { entry } = messages.value;
  return (
    <main class="card-page">
      <div class="card">
        <h1>{entry.otherBuildTitle}</h1>
        <p class="quiet">{entry.otherBuild}</p>
        <Button kind="main" autofocus onClick={() => location.reload()}>
          {entry.reload}
        </Button>
      </div>
    </main>
  );
}
