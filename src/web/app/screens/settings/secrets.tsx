/**
 * An overview of what opens what, for the settings page `security`.
 *
 * @module
 */
import { href } from "../../routes.ts";
import { messages } from "../../messages.ts";
import { Group } from "./parts.tsx";

/** The overview. */
export function Secrets() {
  const text = messages.value.secrets;
  const rows = [
    // What changes the password is above it, on the same page.
    [text.password, text.passwordOpens, text.passwordLost, undefined],
    [text.words, text.wordsOpen, text.wordsLost, "recovery"],
    [text.sentence, text.sentenceOpens, text.sentenceLost, "recovery"],
    [text.browser, text.browserOpens, text.browserLost, "browser"],
  ] as const;
  return (
    <Group title={text.title} why={text.why}>
      <dl class="secrets">
        {rows.map(([name, opens, lost, page]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{opens}</dd>
            <dd class="quiet small">
              <strong>{text.lost}</strong> {lost}
            </dd>
            {page !== undefined && (
              <dd>
                <a
                  class="tap"
                  href={href("settings", page)}
                  aria-label={`${text.change}: ${name}`}
                >
                  {text.change}
                </a>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <p class="small">{text.all}</p>
    </Group>
  );
}

/** Leads to the overview from where one of them is set. */
export function Which() {
  return (
    <a class="tap small" href={href("settings", "security")}>
      {messages.value.secrets.which}
    </a>
  );
}
