/**
 * What every page says while photos are lost or damaged at the server.
 *
 * @module
 */
import { Icon } from "../../parts/icon.tsx";
import { href, route } from "../../routes.ts";
import { alarms } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { alarmTitle } from "./alarm_title.ts";

/** The banner, with the way to what helps; Safety says it itself. */
export function AlarmBanner() {
  const { count, logs } = alarms.value;
  const isSaid = count + logs === 0 || route.value.path[0] === "safety";
  return isSaid ? null : (
    <p class="banner wrong" role="alert">
      <Icon name="alarm" />
      <span>
        {count > 0
          ? alarmTitle(alarms.value)
          : messages.value.safety.logs.alarm}{" "}
        <a href={href("safety")}>{messages.value.safety.whatNow}</a>
      </span>
    </p>
  );
}
