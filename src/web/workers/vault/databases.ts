/**
 * Promises over IndexedDB, where the app stores its data in a browser.
 *
 * @module
 */

/**
 * Opens a database with these object stores, whose keys are given with each
 * value.
 */
export function openDatabase(
  name: string,
  version: number,
  stores: readonly string[],
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, version);
    asked.onupgradeneeded = () => {
      for (const store of stores) {
        if (!asked.result.objectStoreNames.contains(store)) {
          asked.result.createObjectStore(store);
        }
      }
    };
    asked.onsuccess = () => {
      // Closed when another tab removes or upgrades the database.
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => reject(faultOf(asked.error));
    asked.onblocked = () => reject(new Error(`${name} is in use elsewhere`));
  });
}

/** Removes a database, if it is there. */
export function removeDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.deleteDatabase(name);
    asked.onsuccess = () => resolve();
    asked.onerror = () => reject(faultOf(asked.error));
    // It is removed as soon as the last tab closes it.
    asked.onblocked = () => resolve();
  });
}

/** The result of a request. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(faultOf(request.error));
  });
}

/** Resolves when a transaction is on the disk. */
export function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(faultOf(transaction.error));
    transaction.onerror = () => reject(faultOf(transaction.error));
  });
}

function faultOf(error: DOMException | null): Error {
  return error ?? new Error("the browser's storage failed");
}
