/**
 * On the page `phone`: what to enter in each app that uploads, and what was
 * tried of it; the address of the person's `receive` as a code to scan.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { urlOf } from "../../../../client/documents/urls.ts";
import { Options } from "../../parts/choices.tsx";
import { Field } from "../../parts/form.tsx";
import { messages } from "../../messages.ts";
import { QrCode } from "../sharing/qr_code.tsx";

/** What this browser keeps of it: the address alone, never the password. */
const KEPT = "strongroom.receiveAddress";

/** The steps of the app that runs on most phones, and a table of the others. */
export function Uploaders() {
  const { phone } = messages.value;
  const [first, ...others] = phone.apps;
  return (
    <>
      {first !== undefined && (
        <Options label={first.name}>
          <div class="reading">
            <ol>
              {first.steps.map((one) => <li key={one}>{one}</li>)}
            </ol>
            <p class="quiet small">{first.tried}</p>
          </div>
        </Options>
      )}
      <Options label={phone.otherApps}>
        <table class="recipes">
          <tbody>
            {others.map(({ name, steps, tried }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  {steps.join(" ")}
                  <p class="quiet small">{tried}</p>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Options>
    </>
  );
}

/** The address, typed once, and its code. */
export function DoorAddress() {
  const { phone } = messages.value;
  const [text, setText] = useState(() => {
    try {
      return localStorage.getItem(KEPT) ?? "";
    } catch {
      return "";
    }
  });
  const change = (value: string) => {
    setText(value);
    try {
      localStorage.setItem(KEPT, value);
    } catch {
      // It is typed again the next time.
    }
  };
  const url = urlOf(text.trim());
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol) &&
    url.password === "";
  return (
    <>
      <Field
        label={phone.door}
        hint={phone.doorWhy}
        value={text}
        onInput={change}
      />
      {isAddress && <QrCode text={url.href} />}
    </>
  );
}
