/**
 * The settings page `storage`: what the account uses, and what changes
 * that: deleting, exporting and importing.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Progress } from "../../parts/controls.tsx";
import { href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages, numberText, sizeText } from "../../messages.ts";
import { Group, Line, Waiting } from "./parts.tsx";

/** The page `storage`. */
export function Storage() {
  const { common, settings, similar, trash } = messages.value;
  const loaded = useLoaded(() => vault().settings.usage(), []);
  const usage = loaded.value;
  if (usage === undefined) return <Waiting loaded={loaded} />;
  // The server counts each of them for itself, and the quota is for all.
  const used = usage.used_bytes + usage.trash_bytes + usage.reserved_bytes;
  const quota = usage.quota_bytes ?? undefined;
  return (
    <>
      <Group>
        <p class="figure">
          {quota === undefined
            ? settings.used2({ used: sizeText(used) })
            : settings.usedOf({ used: sizeText(used), of: sizeText(quota) })}
        </p>
        {quota === undefined
          ? <p class="quiet small">{settings.usedNone}</p>
          : (
            <Progress
              value={quota === 0 ? 1 : Math.min(1, used / quota)}
              label={settings.usedName}
            />
          )}
        <p class="quiet small">{settings.usedWhy}</p>
        <Line name={settings.usedItems} value={numberText(usage.photos)} />
        <Line name={settings.usedTrash} value={sizeText(usage.trash_bytes)} />
        {usage.reserved_bytes > 0 && (
          <Line
            name={settings.usedReserved}
            value={sizeText(usage.reserved_bytes)}
          />
        )}
      </Group>
      <Group>
        <Line name={settings.largest} value={settings.largestWhy}>
          <a class="button" href={href("largest")}>{common.show}</a>
        </Line>
        <Line name={similar.title} value={similar.why}>
          <a
            class="button"
            href={href("similar", "storage")}
            aria-label={similar.showThem}
          >
            {common.show}
          </a>
        </Line>
        <Line name={settings.pages.export} value={settings.exportWhy}>
          <a
            class="button"
            href={href("settings", "export")}
            aria-label={`${common.show}: ${settings.pages.export}`}
          >
            {common.show}
          </a>
        </Line>
        <Line name={settings.pages.import} value={settings.importWhy}>
          <a
            class="button"
            href={href("settings", "import")}
            aria-label={`${common.show}: ${settings.pages.import}`}
          >
            {common.show}
          </a>
        </Line>
        <Line name={trash.title} value={trash.hint}>
          <a
            class="button"
            href={href("trash")}
            aria-label={`${common.show}: ${trash.title}`}
          >
            {common.show}
          </a>
        </Line>
      </Group>
    </>
  );
}
