/**
 * What Safety says of the account itself, below the photos: whether the operator
 * restricted it, its key, the address of its links, and the program. It is
 * folded unless something is wrong.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Notice } from "../../parts/controls.tsx";
import { vault } from "../../vault.ts";
import { messages, textNamed, timeText } from "../../messages.ts";
import { LinkOrigin } from "../settings/link_origin.tsx";
import { Line, Waiting } from "../settings/parts.tsx";
import { Fold } from "./fold.tsx";

/** The folds of the account. */
export function OfAccount() {
  const { safety, settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.about(), []);
  const about = loaded.value;
  return (
    <>
      <Standing />
      <Fold title={settings.origin}>
        <LinkOrigin />
      </Fold>
      <Fold title={settings.fingerprint}>
        {about === undefined ? <Waiting loaded={loaded} /> : (
          <>
            <p class="quiet">{settings.fingerprintWhy}</p>
            <code class="fingerprint" translate={false}>
              {about.fingerprint.replace(/(.{4})(?=.)/g, "$1 ")}
            </code>
          </>
        )}
      </Fold>
      <Fold title={safety.about}>
        {about !== undefined && (
          <Line
            name={settings.version}
            value={`strongroom ${about.version}`}
          />
        )}
        <Line name={settings.server} value={location.origin} />
        <p class="quiet small">{settings.source}</p>
      </Fold>
    </>
  );
}

/** The operator's actions on the account. */
function Standing() {
  const { safety, settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.record(), []);
  const record = loaded.value;
  const since = record?.suspended_since ?? undefined;
  return (
    <Fold title={safety.account} open={since !== undefined}>
      {record === undefined ? <Waiting loaded={loaded} /> : (
        <>
          <p class="quiet">{settings.recordWhy}</p>
          <Notice kind={since === undefined ? "good" : "warn"}>
            {since === undefined
              ? settings.standingActive
              : settings.standingSuspended({
                day: timeText(since, { dateStyle: "long" }),
              })}
          </Notice>
          {record.events.length > 0 && (
            <>
              <h3>{settings.recordTitle}</h3>
              <ul class="lines">
                {record.events.map((event, index) => (
                  <li class="line" key={index}>
                    <div>
                      <strong>
                        {textNamed(settings.actions, event.action) ??
                          event.action}
                      </strong>
                      <div class="quiet small">
                        {timeText(event.at)} ·{" "}
                        {event.reason ?? settings.noReason}
                      </div>
                    </div>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Fold>
  );
}
