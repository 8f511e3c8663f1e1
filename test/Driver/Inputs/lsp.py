"""A session with the language server whose path is the argument, as an editor
has it: opens a file, asks what is under the cursor and where it is defined,
writes an error, and leaves.  Prints the answers."""

import json
import subprocess
import sys

TEXT = """llvm.func @f(i32)
llvm.func @g(%n: i32) {
  cilk.spawn @f(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}
"""

server = subprocess.Popen(
    [sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message)
    server.stdin.write("Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def receive():
    length = 0
    while (line := server.stdout.readline().strip()) != "":
        name, value = line.split(":")
        if name == "Content-Length":
            length = int(value)
    return json.loads(server.stdout.read(length))


def answer(method, params, number):
    send(method, params, number)
    while (message := receive()).get("id") != number:
        pass
    return message["result"]


def diagnostics():
    while (message := receive()).get("method") != "textDocument/publishDiagnostics":
        pass
    return [found["message"] for found in message["params"]["diagnostics"]]


uri = "file:///spawn.mlir"
spawn = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 5}}
callee = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 14}}
capabilities = answer("initialize", {"processId": None, "capabilities": {}}, 1)
print("server:", capabilities["serverInfo"]["name"])
document = {"uri": uri, "languageId": "mlir", "version": 1, "text": TEXT}
send("textDocument/didOpen", {"textDocument": document})
print("errors:", diagnostics())
print("hover:", answer("textDocument/hover", spawn, 2)["contents"]["value"].split()[0])
place = answer("textDocument/definition", callee, 3)
print("defined in line:", place[0]["range"]["start"]["line"])
send(
    "textDocument/didChange",
    {
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"text": TEXT.replace("void (i32)", "void (i64)")}],
    },
)
print("errors:", diagnostics())
answer("shutdown", None, 4)
send("exit", None)
print("status:", server.wait())
