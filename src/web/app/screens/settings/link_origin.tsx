/**
 * The address under which links and codes stand, and the one that the server
 * suggests instead.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Line, Waiting } from "./parts.tsx";

/** The address, and a button for every other one that it may be. */
export function LinkOrigin() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.origins(), []);
  // Without an answer there is nothing to suggest.
  const suggesting = useLoaded(
    () => vault().settings.suggestedOrigin().catch(() => undefined),
    [],
  );
  const doing = useDoing();
  const use = (origin: string) =>
    doing.run(async () => {
      await vault().settings.confirmOrigin(origin);
      loaded.again();
      suggesting.again();
    });
  const origins = loaded.value;
  if (origins === undefined) return <Waiting loaded={loaded} />;
  const { links, opened } = origins;
  const suggested = suggesting.value;
  return (
    <section aria-label={settings.origin} class="stack">
      <p class="quiet">{settings.originWhy}</p>
      <Line
        name={links}
        value={links === opened
          ? settings.originOpened
          : settings.originConfirmed}
      />
      {suggested !== undefined && (
        <Notice kind="info">
          {settings.originSuggested({ origin: suggested })}
        </Notice>
      )}
      <Refused doing={doing} />
      <div class="actions">
        {suggested !== undefined && suggested !== opened && (
          <Button
            busy={doing.busy}
            onClick={() => use(suggested)}
          >
            {settings.originUse({ origin: suggested })}
          </Button>
        )}
        {links !== opened && (
          <Button
            busy={doing.busy}
            onClick={() => use(opened)}
          >
            {settings.originBack({ origin: opened })}
          </Button>
        )}
      </div>
    </section>
  );
}
