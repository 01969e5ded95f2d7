// A visit by the Go SDK: visit URL; prints what worked as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type outcome struct {
	Revision string            `json:"revision"`
	Worked   map[string]bool   `json:"worked"`
	Faults   map[string]string `json:"faults"`
}

func (o *outcome) attempt(name, holds string, act func() (any, error)) {
	answer, err := act()
	text, _ := json.Marshal(answer)
	o.Worked[name] = err == nil && strings.Contains(string(text), holds)
	if !o.Worked[name] {
		o.Faults[name] = fmt.Sprint(err, " ", string(text))
	}
}

func fill(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	text, err := json.Marshal(request.Params.RequestedSchema)
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	content := map[string]any{}
	for name := range schema.Properties {
		content[name] = "x"
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, err
}

func visit(ctx context.Context, url string, o *outcome) error {
	options := &mcp.ClientOptions{ElicitationHandler: fill}
	client := mcp.NewClient(&mcp.Implementation{Name: "visit", Version: "1.0.0"}, options)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	o.Revision = session.InitializeResult().ProtocolVersion
	o.attempt("list", "echo", func() (any, error) { return session.ListTools(ctx, nil) })
	call := func(name, argument string) func() (any, error) {
		params := &mcp.CallToolParams{Name: name, Arguments: map[string]any{"message": argument}}
		return func() (any, error) { return session.CallTool(ctx, params) }
	}
	o.attempt("call", "hello", call("echo", "hello"))
	o.attempt("prompt", "simple", func() (any, error) {
		return session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "test_simple_prompt"})
	})
	o.attempt("resource", "resource", func() (any, error) {
		return session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "test://static-text"})
	})
	if o.Revision >= "2026" {
		o.attempt("elicitation", "Hello, ", call("test_input_required_result_elicitation", "?"))
	} else {
		o.attempt("elicitation", "accept", call("test_elicitation", "?"))
	}
	return nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	o := &outcome{Worked: map[string]bool{}, Faults: map[string]string{}}
	if err := visit(ctx, os.Args[1], o); err != nil {
		o.Faults["connect"] = err.Error()
	}
	text, _ := json.Marshal(o)
	fmt.Println(string(text))
}
