/**
 * The settings page `record`: the operator's actions on the account.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Notice } from "../../parts/controls.tsx";
import { vault } from "../../vault.ts";
import { messages, textNamed, timeText } from "../../messages.ts";
import { Group, Waiting } from "./parts.tsx";

/** The page `record`. */
export function RecordPage() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.record(), []);
  const record = loaded.value;
  if (record === undefined) return <Waiting loaded={loaded} />;
  const since = record.suspended_since ?? undefined;
  return (
    <>
      <Group title={settings.standing} why={settings.recordWhy}>
        <Notice kind={since === undefined ? "good" : "warn"}>
          {since === undefined
            ? settings.standingActive
            : settings.standingSuspended({
              day: timeText(since, { dateStyle: "long" }),
            })}
        </Notice>
      </Group>
      <Group title={settings.recordTitle}>
        {record.events.length === 0
          ? <p class="quiet">{settings.recordNone}</p>
          : (
            <ul class="lines">
              {record.events.map((event, index) => (
                <li class="line" key={index}>
                  <div>
                    <strong>
                      {textNamed(settings.actions, event.action) ??
                        event.action}
                    </strong>
                    <div class="quiet small">
                      {timeText(event.at)} · {event.reason ?? settings.noReason}
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          )}
      </Group>
    </>
  );
}
