/**
 * How the server does: what the doctor finds, backups, checks, certificate,
 * notices, and how much room there is.
 *
 * @module
 */
import type { Overview } from "../../../../client/api/operator_calls.ts";
import { fillIn, type Sentence } from "../../../../core/sentence.ts";
import { Notice } from "../../parts/controls.tsx";
import {
  dayText,
  messages,
  sizeText,
  textNamed,
  timeText,
} from "../../messages.ts";
import { type Sentences, translated } from "./finding_messages.ts";
import { Group, Line } from "./parts.tsx";

/** What the doctor says; what no catalogue has is English. */
function Said(
  { sentence, sentences }: {
    readonly sentence: Sentence;
    readonly sentences: Sentences;
  },
) {
  const own = translated(sentence, sentences);
  return own === undefined
    ? <span lang="en">{fillIn(sentence.says, sentence.values)}</span>
    : <>{own}</>;
}

/** What the doctor finds, the backup, the check, the certificate, notices. */
export function OperatorState(
  { overview, sentences }: {
    readonly overview: Overview;
    readonly sentences: Sentences;
  },
) {
  const { operator } = messages.value;
  const { backup, check, certificate, findings, notices } = overview;
  return (
    <Group title={operator.state}>
      {findings.length === 0
        ? <Notice kind="good">{operator.good}</Notice>
        : findings.map((one, index) => (
          <Notice key={index} kind="warn">
            <strong>
              {textNamed(operator.checks, one.check) ??
                one.check.replaceAll("_", " ")}
            </strong>: <Said sentence={one.detail} sentences={sentences} />
            <div class="small">
              {operator.mend} <Said sentence={one.mend} sentences={sentences} />
            </div>
          </Notice>
        ))}
      <Line
        name={operator.backup}
        value={backup === undefined || backup === null ? operator.backupNone : [
          `${dayText(backup.made_at)}.`,
          typeof backup.blobs === "number" &&
          operator.backupHolds({
            n: backup.blobs,
            size: sizeText(backup.bytes ?? 0),
          }),
          backup.is_old && operator.backupOld,
          backup.damaged > 0 && operator.backupDamaged({ n: backup.damaged }),
        ].filter(Boolean).join(" ")}
      />
      <Line
        name={operator.check}
        value={check === undefined || check === null ? operator.checkNone : [
          typeof check.ended_at === "string"
            ? operator.checkDone({ when: dayText(check.ended_at) })
            : operator.checkAt({
              percent: Math.floor(
                100 * check.done_bytes / Math.max(1, check.total_bytes),
              ),
            }),
          check.lost > 0
            ? operator.checkLost({ n: check.lost })
            : operator.checkWhole,
        ].join(" ")}
      />
      <Line
        name={operator.certificate}
        value={certificate === undefined || certificate === null
          ? operator.certificateNone
          : operator.certificateEnds({ when: dayText(certificate.ends_at) })}
      />
      {notices.length === 0
        ? <Line name={operator.notices} value={operator.noticesNone} />
        : notices.map((one) => (
          <Line
            key={one.target}
            name={`${operator.notices}: ${one.target}`}
            value={[
              typeof one.failing_since === "string"
                ? operator.noticeFails({
                  when: dayText(one.failing_since),
                  why: one.fault ?? "",
                })
                : typeof one.sent_at === "string"
                ? operator.noticeSent({ when: dayText(one.sent_at) })
                : operator.noticeNever,
              one.waiting > 0 && operator.noticeWaits({ n: one.waiting }),
            ].filter(Boolean).join(" ")}
          />
        ))}
      <Line name={operator.version} value={overview.version} />
    </Group>
  );
}

/** How much room there is, and what came in each month. */
export function Room(
  { overview: { room, growth } }: { readonly overview: Overview },
) {
  const { operator } = messages.value;
  return (
    <Group title={operator.room}>
      <p>
        {operator.free({
          free: sizeText(room.free_bytes),
          reserved: sizeText(room.reserved_bytes),
        })} {operator.stored({
          used: sizeText(room.used_bytes),
          trash: sizeText(room.trash_bytes),
        })} {operator.database({ size: sizeText(room.database_bytes) })}
      </p>
      {growth.length > 0 && (
        <table class="growth">
          <caption class="quiet small">{operator.growth}</caption>
          <thead>
            <tr>
              <th scope="col">{operator.month}</th>
              <th scope="col">{operator.size}</th>
            </tr>
          </thead>
          <tbody>
            {growth.map(({ month, bytes }) => (
              <tr key={month}>
                <td>
                  {timeText(`${month}-15T12:00:00Z`, {
                    year: "numeric",
                    month: "long",
                  })}
                </td>
                <td>{sizeText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Group>
  );
}
