/**
 * The settings page `storage`: the room that the account uses, and its quota.
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
  const { common, settings, similar } = messages.value;
  const loaded = useLoaded(() => vault().settings.usage(), []);
  const usage = loaded.value;
  if (usage === undefined) return <Waiting loaded={loaded} />;
  // The server counts each of them for itself, and the quota is for all.
  const used = usage.used_bytes + usage.trash_bytes + usage.reserved_bytes;
  const quota = usage.quota_bytes ?? undefined;
  return (
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
      <Line name={settings.usedItems} value={numberText(usage.photos)} />
      <Line name={settings.usedTrash} value={sizeText(usage.trash_bytes)} />
      {usage.reserved_bytes > 0 && (
        <Line
          name={settings.usedReserved}
          value={sizeText(usage.reserved_bytes)}
        />
      )}
    </Group>
  );
}
